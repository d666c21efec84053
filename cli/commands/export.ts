import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client.ts'
import { type Command, flagOf, listOf } from '../command.ts'
import { CommandError, EXIT } from '../exit-codes.ts'
import { artifactFile } from '../folder/artifact-text.ts'
import { SCHEMA_PATH } from '../folder/schema-path.ts'
import { idForPath, writeFiles } from '../folder/write-files.ts'

type Stored = Record<string, unknown> & { id: string; name: string }

const KINDS = [
  'environment',
  'component',
  'testcase',
  'suite',
  'channel',
  'rule',
  'silence',
  'receiver',
  'schedule',
  'trigger',
]
/** Kinds that a server of the version before does not have. */
const LATER: ReadonlySet<string> = new Set([
  'channel',
  'rule',
  'silence',
  'receiver',
  'schedule',
  'trigger',
])
const PAGE_SIZE = 1_000
const PAGES = 1_000

/** Defaults of the product, which files leave out. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  description: '',
  tags: [],
  useCodeCoverage: true,
  rerunAfterCrash: true,
  retries: 0,
  quarantine: false,
  needs: [],
  environments: [],
  allowExecuteWithoutCredentials: false,
  haltAtFailure: false,
  maxParallel: 1,
  variables: {},
  secrets: [],
  allowedHosts: [],
  runners: ['CALL', 'HTTP', 'GRAPHQL'],
  to: [],
  ignoreNumbers: false,
  on: ['OPENED', 'REOPENED', 'RAISED', 'RESOLVED'],
  groupBy: [],
  groupWait: '30s',
  groupInterval: '5m',
  flappingAfter: 6,
  flappingWithin: '15m',
  enabled: true,
  notifyAtEnd: true,
  timeZone: 'UTC',
  labels: {},
  missed: 'SKIP',
  overlap: 'SKIP',
  spread: '0s',
  perHour: 10,
}

const SET_BY_PRODUCT = [
  ...['id', 'revision', 'created', 'updated'],
  ...['nextRuns', 'storedBy', 'lastRunAt', 'lastResultId', 'failure'],
]

export const exportArtifacts: Command = {
  name: 'export',
  args: '<folder>',
  count: [1, 1],
  does: 'write what is stored into artifact files',
  details: ['Values of secrets are never written.'],
  options: {
    kind: { value: 'KIND', multiple: true, choices: KINDS, does: 'only these kinds' },
    id: { value: 'ID', multiple: true, does: 'only these ids' },
    force: { does: 'replace files that are there' },
  },
  async run({ args: [folder = ''], client, options, terminal }) {
    const kinds = listOf(options, 'kind')
    const ids = listOf(options, 'id')
    const found: [string, string][] = []
    const missing = new Set(ids)
    for (const kind of KINDS.filter((each) => kinds.length === 0 || kinds.includes(each)))
      for (const stored of await allOf(kind, client)) {
        if (ids.length > 0 && !ids.includes(stored.id)) continue
        missing.delete(stored.id)
        for (const [name, text] of filesOf(kind, stored, client.at(SCHEMA_PATH)))
          found.push([name, text])
      }
    const files = found.map(([name]) => join(folder, name))
    const isForced = flagOf(options, 'force')
    await writeFiles(folder, Object.fromEntries(found), isForced ? null : '--force replaces files')
    for (const id of missing) terminal.note(`No artifact has the id ${id}`)
    terminal.json({ files })
    for (const file of files) terminal.line(file)
    return missing.size === 0 ? EXIT.ok : EXIT.refused
  },
}

async function allOf(kind: string, client: Client): Promise<Stored[]> {
  const all: Stored[] = []
  for (let page = 0; page < PAGES; page++) {
    const query = { pageSize: String(PAGE_SIZE), pageNumber: String(page) }
    const items = await client.rest<Stored[]>('GET', `/${kind}`, { query }).catch((error) => {
      if (LATER.has(kind) && error instanceof CommandError && error.code === 'NOT_FOUND') return []
      throw error
    })
    all.push(...items)
    if (items.length < PAGE_SIZE) break
  }
  return all
}

/** Triggers have another default of `on` than rules: files of theirs say it. */
const defaultOf = (kind: string, name: string): unknown =>
  kind === 'trigger' && name === 'on' ? undefined : DEFAULTS[name]

/** Names and texts: the artifact, and the source of a component beside it. */
function filesOf(kind: string, stored: Stored, schema: string): [string, string][] {
  const attributes = Object.entries(stored).filter(
    ([name, value]) =>
      !SET_BY_PRODUCT.includes(name) &&
      value !== null &&
      !(name in DEFAULTS && isDeepStrictEqual(value, defaultOf(kind, name))),
  )
  // `kind` of a file is that of the artifact.
  const {
    name,
    description,
    sourceCode,
    language,
    kind: channelKind,
    ...rest
  } = Object.fromEntries(attributes)
  const common = {
    kind,
    ...(name !== stored.id && { name }),
    ...(description ? { description } : {}),
    ...(channelKind !== undefined && { channelKind }),
  }
  const id = idForPath(stored.id, `${kind === 'environment' ? 'An' : 'A'} ${kind} of the server`)
  const stem = `${id}.${kind}`
  if (typeof sourceCode !== 'string') return [artifactFile(stem, { ...common, ...rest }, schema)]
  const source = `${id}.${language === 'TYPESCRIPT' ? 'ts' : 'js'}`
  const artifact = { ...common, ...rest, source: `./${source}` }
  return [artifactFile(stem, artifact, schema), [source, sourceCode]]
}
