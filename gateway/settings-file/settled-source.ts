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
export class SettledSource implements SupergraphSource {
  readonly name: string
  readonly #remote: RemoteText | undefined
  /** Keys of the settings that belong to a supergraph. */
  readonly #keys = new WeakMap<SupergraphContent, string>()
  readonly #forAll: readonly { propagate: string }[]
  #forwarded: Forwarded
  #env: string | undefined

  constructor(private readonly options: SettledSourceOptions) {
    const { file, remote, forwardHeaders, log } = options
    this.#remote = /^https?:/.test(file)
      ? new RemoteText({ ...remote, name: 'supergraph', url: file, log })
      : undefined
    this.name = `SUPERGRAPH=${this.#remote?.from ?? file}`
    this.#forwarded = { names: forwardHeaders, patterns: [] }
    this.#forAll = forwardHeaders.map((propagate) => ({ propagate }))
  }

  /** Headers of clients that subgraphs get now. */
  forwarded(): Forwarded {
    return this.#forwarded
  }

  watch(changed: () => void): () => void {
    const { file, settingsFile } = this.options
    const files = [...(this.#remote ? [] : [file]), ...(settingsFile ? [settingsFile.path] : [])]
    const ends = [watchFiles(files, changed), this.#remote?.watch(changed)]
    return () => {
      for (const end of ends) end?.()
    }
  }

  async read(before?: SupergraphContent): Promise<SupergraphContent> {
    const { file, settingsFile, signIn, linkTo, log } = this.options
    const sdl = await (this.#remote ? this.#remote.read() : readFile(file, 'utf8'))
    const settings = settingsFile?.read()
    const key = settings?.key ?? ''
    if (before && sdl === before.sdl && key === this.#keys.get(before)) return before
    const { authorization = {} } = settings ?? {}
    const isGranting = signIn.mode === 'oidc' || authorization.policies !== undefined
    const options = isGranting && { authorization: createAuthorization(authorization, log) }
    const content: SupergraphContent = settings
      ? this.#withSettings(sdl, settings, options || {})
      : {
          sdl,
          linkTo: (subgraph) => linkTo(subgraph, { introduction: forwardedHeaders }),
          ...(options && { options }),
        }
    const made: SupergraphContent = {
      ...content,
      taken: () => {
        this.#remote?.keep(sdl)
        content.taken?.()
      },
    }
    this.#keys.set(made, key)
    return made
  }

  #withSettings(
    sdl: string,
    settings: SettingsFile,
    others: SupergraphContent['options'],
  ): SupergraphContent {
    const seen = new Set<string>()
    const { names: vary } = readBy([...this.#forAll, ...settings.requestRules])
    return {
      sdl,
      keyOf(subgraph) {
        seen.add(subgraph.name)
        return JSON.stringify([subgraph, settings.of(subgraph.name)])
      },
      linkTo: (subgraph) => {
        const { request, response, ...options } = settings.of(subgraph.name)
        return this.options.linkTo(subgraph, {
          ...options,
          introduction: introductionBy([...this.#forAll, ...request]),
          responseHeaders: responseHeadersBy(response, settings.cacheHints !== undefined),
        })
      },
      options: {
        ...{ ...others, labels: settings.labels, isUnshared: settings.readsResponses },
        ...(settings.cacheHints && { cacheHints: { scope: settings.cacheHints, vary } }),
      },
      taken: () => this.#take(settings, seen),
    }
  }

  #take(settings: SettingsFile, seen: ReadonlySet<string>): void {
    const { log } = this.options
    const { names, patterns } = readBy([...this.#forAll, ...settings.requestRules])
    this.#forwarded = { names, patterns }
    const unknown = settings.named.filter((name) => !seen.has(name))
    if (unknown.length > 0)
      log.warn({ subgraphs: unknown }, 'Settings for subgraphs that the supergraph lacks')
    const now = JSON.stringify(settings.env)
    if (this.#env !== undefined && this.#env !== now)
      log.warn('Settings below `settings` and `supergraph` have changed: restart to use them')
    this.#env = now
  }
}
