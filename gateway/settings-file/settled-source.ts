import { readFile } from 'node:fs/promises'
import type { Logger } from '../../platform/process/logger.ts'
import { createAuthorization } from '../authorization/authorization.ts'
import {
  forwardedHeaders,
  type Introduction,
  type LinkOptions,
  type NamedSubgraph,
  type ResponseHeaders,
  type SubgraphLink,
  type SupergraphContent,
  type SupergraphSource,
  watchFiles,
} from '../federation/index.ts'
import type { Forwarded } from '../http/graphql/context.ts'
import type { SignInSettings } from '../sign-in/settings.ts'
import { introductionBy, readBy, responseHeadersBy } from './header-rules.ts'
import type { SettingsFile } from './read-settings-file.ts'
import { RemoteText, type RemoteTextOptions } from './remote-text.ts'

export interface SettledSourceOptions {
  /** SUPERGRAPH */
  file: string
  /** Used with an address in SUPERGRAPH. */
  remote: Omit<RemoteTextOptions, 'name' | 'url' | 'log'>
  /** GATEWAY_CONFIG */
  settingsFile: { path: string; read(): SettingsFile } | undefined
  /** FORWARD_HEADERS, in lower case; without rules, subgraphs get these. */
  forwardHeaders: readonly string[]
  linkTo(
    subgraph: NamedSubgraph,
    settings: LinkOptions & {
      introduction: Introduction
      responseHeaders?: ResponseHeaders | undefined
    },
  ): SubgraphLink
  signIn: Pick<SignInSettings, 'mode'>
  log: Logger
}

/** A supergraph with the settings of its subgraphs, which are read and replaced together. */
export function settledSource({
  file,
  remote: remoteOptions,
  settingsFile,
  forwardHeaders,
  linkTo,
  signIn,
  log,
}: SettledSourceOptions): SupergraphSource & { forwarded(): Forwarded } {
  /** The settings that belong to a supergraph. */
  const remote = /^https?:/.test(file)
    ? new RemoteText({ ...remoteOptions, name: 'supergraph', url: file, log })
    : undefined
  const keys = new WeakMap<SupergraphContent, string>()
  let forwarded: Forwarded = { names: forwardHeaders, patterns: [] }
  let env: string | undefined
  const plainLink = (subgraph: NamedSubgraph) =>
    linkTo(subgraph, { introduction: forwardedHeaders })
  const forAll = forwardHeaders.map((propagate) => ({ propagate }))

  return {
    name: `SUPERGRAPH=${remote?.from ?? file}`,
    forwarded: () => forwarded,
    watch(changed) {
      const files = [...(remote ? [] : [file]), ...(settingsFile ? [settingsFile.path] : [])]
      const ends = [watchFiles(files, changed), remote?.watch(changed)]
      return () => {
        for (const end of ends) end?.()
      }
    },
    async read(before) {
      const sdl = await (remote ? remote.read() : readFile(file, 'utf8'))
      const settings = settingsFile?.read()
      const key = settings?.key ?? ''
      if (before && sdl === before.sdl && key === keys.get(before)) return before
      const { authorization = {} } = settings ?? {}
      const isGranting = signIn.mode === 'oidc' || authorization.policies !== undefined
      const options = isGranting && { authorization: createAuthorization(authorization, log) }
      const content: SupergraphContent = settings
        ? withSettings(sdl, settings, options || {})
        : { sdl, linkTo: plainLink, ...(options && { options }) }
      const made: SupergraphContent = {
        ...content,
        taken() {
          remote?.keep(sdl)
          content.taken?.()
        },
      }
      keys.set(made, key)
      return made
    },
  }

  function withSettings(
    sdl: string,
    settings: SettingsFile,
    others: SupergraphContent['options'],
  ): SupergraphContent {
    const seen = new Set<string>()
    return {
      sdl,
      keyOf(subgraph) {
        seen.add(subgraph.name)
        return JSON.stringify([subgraph, settings.of(subgraph.name)])
      },
      linkTo(subgraph) {
        const { request, response, ...options } = settings.of(subgraph.name)
        return linkTo(subgraph, {
          ...options,
          introduction: introductionBy([...forAll, ...request]),
          responseHeaders: responseHeadersBy(response),
        })
      },
      options: { ...others, labels: settings.labels, isUnshared: settings.readsResponses },
      taken() {
        const { names, patterns } = readBy([...forAll, ...settings.requestRules])
        forwarded = { names, patterns }
        const unknown = settings.named.filter((name) => !seen.has(name))
        if (unknown.length > 0)
          log.warn({ subgraphs: unknown }, 'Settings for subgraphs that the supergraph lacks')
        const now = JSON.stringify(settings.env)
        if (env !== undefined && env !== now)
          log.warn('Settings below `settings` and `supergraph` have changed: restart to use them')
        env = now
      },
    }
  }
}
