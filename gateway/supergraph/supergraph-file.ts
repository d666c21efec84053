import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { GraphQLSchema } from 'graphql'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { SubgraphLink } from '../links/link.ts'
import { LiveStreams } from '../subscriptions/live-streams.ts'
import { SharedFetches } from './executor/shared-fetches.ts'
import { type NamedSubgraph, subgraphsOf } from './subgraphs.ts'
import {
  loadSupergraph,
  type Supergraph,
  type SupergraphOptions,
  type SupergraphVersion,
} from './supergraph.ts'

/** A supergraph that follows its file. */
export interface SupergraphFile extends Supergraph {
  links(): readonly SubgraphLink[]
  /** Reads the file again. A file that cannot be used leaves the supergraph as it was, and the log says why. */
  reload(): Promise<void>
  stop(): Promise<void>
}

export interface SupergraphFileOptions extends SupergraphOptions {
  file: string
  linkTo(subgraph: NamedSubgraph): SubgraphLink
}

/** By state instead of by events, which do not tell of every way to replace a file (a mounted volume, a link). */
const LOOK_EVERY_MS = 1_000
/** Operations that began before a reload may still fetch. */
const KEEP_LINKS_MS = 30_000

interface Loaded {
  sdl: string
  version: SupergraphVersion
  /** By name and address. */
  links: ReadonlyMap<string, SubgraphLink>
}

/** @throws Error that names the file and what is wrong with it */
export async function openSupergraphFile(
  { file, linkTo, ...options }: SupergraphFileOptions,
  log: Logger,
): Promise<SupergraphFile> {
  const streams = options.streams ?? new LiveStreams(log)
  const fetches = new SharedFetches()
  const listeners = new Set<(schema: GraphQLSchema) => void>()
  const retired = new Map<SubgraphLink, NodeJS.Timeout>()

  async function load(before?: Loaded): Promise<Loaded> {
    const sdl = await readFile(file, 'utf8')
    if (sdl === before?.sdl) return before
    const links = new Map<string, SubgraphLink>()
    for (const subgraph of subgraphsOf(sdl)) {
      const key = JSON.stringify(subgraph)
      links.set(key, before?.links.get(key) ?? linkTo(subgraph))
    }
    const version = loadSupergraph(sdl, [...links.values()], log, {
      ...options,
      streams,
      fetches,
      validate: true,
    })
    return { sdl, version, links }
  }

  let current = await load().catch((cause: Error) => {
    throw new Error(`SUPERGRAPH=${file} cannot be used: ${cause.message}`, { cause })
  })

  async function replace(): Promise<void> {
    const before = current
    const next = await load(before)
    if (next === before) return
    await warm(next.version, before.version)
    current = next
    const kept = new Set(next.links.values())
    for (const link of before.links.values()) if (!kept.has(link)) retire(link)
    for (const listener of listeners) listener(next.version.schema)
    streams.reload(({ text, operationName }) => {
      const operation = next.version.prepare(text, operationName)
      return 'run' in operation ? operation.subscription : undefined
    })
    log.info({ file }, 'The supergraph was reloaded')
  }

  function retire(link: SubgraphLink): void {
    const stop = () => {
      retired.delete(link)
      link.stop().catch((err: unknown) => log.warn({ err }, 'A link did not stop cleanly'))
    }
    retired.set(link, setTimeout(stop, KEEP_LINKS_MS).unref())
  }

  let reloading = Promise.resolve()
  const reload = () => {
    reloading = reloading
      .then(replace)
      .catch((err: unknown) =>
        log.error({ err, file }, 'The supergraph file cannot be used; the one before stays'),
      )
    return reloading
  }
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload)

  return {
    get schema() {
      return current.version.schema
    },
    prepare: (text, operationName) => current.version.prepare(text, operationName),
    onReload(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    links: () => [...current.links.values()],
    reload,
    async stop() {
      unwatchFile(file, reload)
      await reloading
      for (const timer of retired.values()) clearTimeout(timer)
      const links = [...current.links.values(), ...retired.keys()]
      await Promise.all(links.map((link) => link.stop()))
    },
  }
}

/** Prepares what clients ask for before they meet the new supergraph; requests are served in between. */
async function warm(next: SupergraphVersion, before: SupergraphVersion): Promise<void> {
  for (const { text, operationName } of before.known().reverse()) {
    next.prepare(text, operationName)
    await turn()
  }
}
