import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { Logger } from '../../../platform/process/logger.ts'
import { applyApolloFixes } from '../apollo-fixes/apply.ts'
import { Changes } from '../executor/shared-runs.ts'
import type { SubgraphLink } from '../links/link.ts'
import { LiveStreams } from '../subscriptions/live-streams.ts'
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

/** A supergraph as it is now, with what belongs to it. */
export interface SupergraphContent {
  sdl: string
  linkTo(subgraph: NamedSubgraph): SubgraphLink
  /** Equal for links that may stay as they are; the default has name and address. */
  keyOf?(subgraph: NamedSubgraph): string
  options?: Pick<SupergraphOptions, 'labels' | 'isUnshared' | 'cacheHints' | 'authorization'>
  /** Called when it serves. */
  taken?(): void
}

/** Source of a supergraph. */
export interface SupergraphSource {
  /** Name in messages. */
  name: string
  /** @param before what it was, which is returned where nothing has changed */
  read(before?: SupergraphContent): Promise<SupergraphContent>
  /** Calls back when it may have changed. @returns what ends that */
  watch(changed: () => void): () => void
}

export interface SupergraphFileOptions extends SupergraphOptions {
  source: SupergraphSource
}

/** The file is polled: file system events miss some replacements (a mounted volume, a link). */
const LOOK_EVERY_MS = 1_000
/** Interval of the check for operations that began before a reload and may still fetch. */
const KEEP_LINKS_MS = 30_000

/** A supergraph in a file, and nothing besides. */
export const fileSource = (
  file: string,
  linkTo: SupergraphContent['linkTo'],
): SupergraphSource => ({
  name: `SUPERGRAPH=${file}`,
  async read(before) {
    const sdl = await readFile(file, 'utf8')
    return sdl === before?.sdl ? before : { sdl, linkTo }
  },
  watch: (changed) => watchFiles([file], changed),
})

export function watchFiles(files: readonly string[], changed: () => void): () => void {
  for (const file of files) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, changed)
  return () => {
    for (const file of files) unwatchFile(file, changed)
  }
}

interface Loaded {
  content: SupergraphContent
  version: SupergraphVersion
  /** By name and address. */
  links: ReadonlyMap<string, SubgraphLink>
}

/** @throws Error that names the file and its fault */
export async function openSupergraphFile(
  options: SupergraphFileOptions,
  log: Logger,
): Promise<SupergraphFile> {
  const fixes = applyApolloFixes()
  const versions = new Versions(options, fixes, log)
  const first = await versions.load().catch((cause: Error) => {
    fixes.undo()
    throw new Error(`${options.source.name} cannot be used: ${cause.message}`, { cause })
  })
  return new WatchedSupergraph(versions, first, fixes)
}

type Fixes = ReturnType<typeof applyApolloFixes>

/** Versions of a supergraph, which share streams, and links that stay the same. */
class Versions {
  readonly source: SupergraphSource
  readonly streams: LiveStreams
  readonly #options: SupergraphOptions
  readonly #changes = new Changes()

  constructor(
    { source, ...options }: SupergraphFileOptions,
    private readonly fixes: Fixes,
    readonly log: Logger,
  ) {
    this.source = source
    this.streams = options.streams ?? new LiveStreams(log)
    this.#options = options
  }

  /** @returns `before` where nothing has changed @throws Error for a source that cannot be read or served */
  async load(before?: Loaded): Promise<Loaded> {
    const content = await this.source.read(before?.content)
    if (content === before?.content) return before
    const { sdl, linkTo, keyOf = JSON.stringify } = content
    const links = new Map<string, SubgraphLink>()
    for (const subgraph of subgraphsOf(sdl)) {
      const key = keyOf(subgraph)
      links.set(key, before?.links.get(key) ?? linkTo(subgraph))
    }
    try {
      const version = loadSupergraph(sdl, [...links.values()], this.log, {
        ...this.#options,
        ...content.options,
        streams: this.streams,
        changes: this.#changes,
        fixes: this.fixes,
        validate: true,
      })
      return { content, version, links }
    } catch (error) {
      await stopOthers(links, before)
      throw error
    }
  }

  /** As `load`, and prepared for what clients of the former one ask. */
  async loadWarm(before: Loaded): Promise<Loaded> {
    const next = await this.load(before)
    if (next === before) return before
    try {
      await warm(next.version, before.version)
    } catch (error) {
      await next.version.stop()
      await stopOthers(next.links, before)
      throw error
    }
    return next
  }
}

const stopOthers = (links: Loaded['links'], than?: Loaded) =>
  Promise.all([...links].map(([key, link]) => than?.links.has(key) || link.stop()))

/** The version that serves, which a change of its source replaces. */
class WatchedSupergraph implements SupergraphFile {
  #current: Loaded
  /** Links that a reload has left, for as long as they may be needed. */
  readonly #retired = new Set<SubgraphLink>()
  /** Settles when nothing runs any more that began before the last reload. */
  #outdated: Promise<unknown> = Promise.resolve()
  #reloading = Promise.resolve()
  readonly #unwatch: () => void

  constructor(
    private readonly versions: Versions,
    first: Loaded,
    private readonly fixes: Fixes,
  ) {
    this.#current = first
    first.content.taken?.()
    this.#unwatch = versions.source.watch(() => this.reload())
  }

  get schema() {
    return this.#current.version.schema
  }

  async prepare(...operation: Parameters<Supergraph['prepare']>) {
    const { version } = this.#current
    const prepared = await version.prepare(...operation)
    // A reload ends what plans for the supergraph before it.
    return version === this.#current.version
      ? prepared
      : this.#current.version.prepare(...operation)
  }

  isPrepared(operation: Parameters<Supergraph['isPrepared']>[0]): boolean {
    return this.#current.version.isPrepared(operation)
  }

  fullStreams() {
    return this.versions.streams.refusal()
  }

  links(): readonly SubgraphLink[] {
    return [...this.#current.links.values()]
  }

  reload(): Promise<void> {
    const { log, source } = this.versions
    this.#reloading = this.#reloading
      .then(() => this.#replace())
      .catch((err: unknown) =>
        log.error(
          { err, source: source.name },
          'The supergraph file cannot be used; the one before stays',
        ),
      )
    return this.#reloading
  }

  async stop(): Promise<void> {
    this.#unwatch()
    await this.#reloading
    const links = [...this.#current.links.values(), ...this.#retired]
    this.#retired.clear()
    await Promise.all([this.#current.version.stop(), ...links.map((link) => link.stop())])
    this.fixes.undo()
  }

  async #replace(): Promise<void> {
    const { streams, log, source } = this.versions
    const before = this.#current
    const next = await this.versions.loadWarm(before)
    if (next === before) return
    this.#current = next
    next.content.taken?.()
    await before.version.stop()
    this.#retire(before, new Set(next.links.values()))
    await streams.reload(async ({ text, operationName, rules }) => {
      const operation = await next.version.prepare(text, operationName, rules)
      return 'run' in operation ? operation.subscription : undefined
    })
    log.info({ source: source.name }, 'The supergraph was reloaded')
  }

  /** A mutation may take as long as it likes, and fetch from any link of its version when it has its answer. */
  #retire({ version, links }: Loaded, kept: ReadonlySet<SubgraphLink>): void {
    const { log } = this.versions
    const left = [...links.values()].filter((link) => !kept.has(link))
    for (const link of left) this.#retired.add(link)
    this.#outdated = Promise.all([this.#outdated, whenIdle(version)]).then(() => {
      for (const link of left)
        if (this.#retired.delete(link))
          link.stop().catch((err: unknown) => log.warn({ err }, 'A link did not stop cleanly'))
    })
  }
}

/** Prepares what clients ask for before they meet the new supergraph; requests are served in between. */
async function warm(next: SupergraphVersion, before: SupergraphVersion): Promise<void> {
  for (const operation of before.known().reverse()) {
    await next.warm(operation)
    await turn()
  }
}

/** Waits until a version is idle; prepared operations have begun by the first look. */
async function whenIdle(version: SupergraphVersion): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, KEEP_LINKS_MS).unref())
  while (version.isBusy())
}
