import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { parseCsv } from '../csv.ts'
import { AppError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { asDoubles, parseExact, utf8Of } from '../json/json.ts'
import type { FileArtifact } from './file-artifact.ts'
import { ALLOW_OUTSIDE, type Folders, foldersOf, readInside, realInside } from './inside.ts'
import { checkSelect, selectMembers } from './select.ts'

export interface ReadFile {
  /** As messages name it. */
  file: string
  artifact: FileArtifact
  /** File of a component whose lines are those of one file. */
  source: string | null
}

export interface ReadOptions {
  /** The source of a component whose file imports others, as one module. Without it such files are refused. */
  bundle?: (file: string, folders: Folders) => Promise<string>
  /** Files may name others outside of the paths given, and variables of the command. */
  allowOutside?: boolean
  /** Values of secrets, by the name that `fromEnv` gives. */
  env?: Readonly<Record<string, string | undefined>>
  /** Artifacts without a file: YAML or JSON of one or of a list, each with its kind and id. */
  text?: string | undefined
}

interface Reading extends Omit<ReadOptions, 'allowOutside' | 'text'> {
  folders: Folders
}

/** Faults of files, each with its name. */
export class FileFaults extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** `<id>.<kind>.yaml`, or `<kind>.yaml` in a folder of that id. All other files are read only where one names them. */
const NAME =
  /^(?:(.+)\.)?(component|testcase|suite|environment|channel|rule|silence|receiver|schedule|trigger)\.(?:ya?ml|json)$/
const RELATIVE_IMPORT = /^\s*(?:import|export)\b[^'"]*['"]\.{1,2}\//m

export const isArtifactFile = (path: string): boolean => NAME.test(basename(path))

/** The other files that would be read as the artifact of this one. */
export const otherArtifactFiles = (path: string): string[] =>
  isArtifactFile(path)
    ? ['yaml', 'yml', 'json']
        .map((end) => path.replace(/[^.]+$/, end))
        .filter((other) => other !== path)
    : []

/**
 * Reads artifacts out of files and folders.
 * @throws FileFaults
 */
export async function readArtifactFiles(
  paths: readonly string[],
  { allowOutside = false, text, ...options }: ReadOptions = {},
): Promise<ReadFile[]> {
  const folders = allowOutside ? null : await foldersOf(paths).catch(asFault)
  const found = await Promise.all(paths.map((path) => filesAt(path, folders)))
  const files = [...new Set(found.flat())]
  const seen = new Set<string>()
  const read: ReadFile[] = []
  const faults: string[] = []
  for (const file of files) {
    const title = relative(process.cwd(), file)
    try {
      const { artifact, source } = await readArtifact(file, { ...options, folders })
      const own = `${await realpath(file)} ${artifact.id}`
      if (seen.has(own)) continue // a link leads to it, too
      seen.add(own)
      read.push({ file: title, artifact, source: source && relative(process.cwd(), source) })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      faults.push(`${title}: ${error.message}`)
    }
  }
  if (text !== undefined)
    try {
      const given = { ...options, folders: folders && [...folders, ...(await foldersOf(['.']))] }
      for (const each of await readGiven(text, given)) read.push({ file: WITHOUT_FILE, ...each })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      faults.push(`${WITHOUT_FILE}: ${error.message}`)
    }
  if (faults.length > 0) throw new FileFaults(faults)
  selectMembers(read.map(({ artifact }) => artifact))
  return read
}

const asFault = (error: Error): never => {
  throw new FileFaults([error.message])
}

/** Follows links. @param above real paths of the folders around it */
async function filesAt(
  path: string,
  folders: Folders,
  above: readonly string[] = [],
): Promise<string[]> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new FileFaults([`${path}: there is no such file or folder`])
  if (!found.isDirectory()) {
    if (isArtifactFile(path)) return [resolve(path)]
    throw new FileFaults([`${path}: ${EXPECTED_NAME}`])
  }
  const own = await realInside(resolve(path), folders).catch((error: Error) => {
    throw new FileFaults([`${path}: ${error.message}`])
  })
  if (above.includes(own)) return []
  const entries = await readdir(path, { withFileTypes: true })
  const inside = entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(async (entry) => {
      const at = join(path, entry.name)
      const isLinked = entry.isSymbolicLink() && (await stat(at).catch(() => null))?.isDirectory()
      if (entry.isDirectory() || isLinked) return filesAt(at, folders, [...above, own])
      return isArtifactFile(at) ? [resolve(at)] : []
    })
  return (await Promise.all(inside)).flat()
}

const EXPECTED_NAME =
  'expected a name such as price.testcase.yaml, with a kind (component, testcase, suite, environment, channel, rule, silence, receiver, schedule or trigger) before .yaml or .json'

const WITHOUT_FILE = 'standard input'
const KINDS = [
  'component',
  'testcase',
  'suite',
  'environment',
  'channel',
  'rule',
  'silence',
  'receiver',
  'schedule',
  'trigger',
]

/** Names files in the folder of the process. */
function readGiven(text: string, options: Reading): Promise<Sourced[]> {
  return parsed(text, false).then((given) =>
    Promise.all(
      [given].flat().map((each, at) => {
        const { kind, id } = isObject(each) ? each : {}
        if (typeof kind !== 'string' || !KINDS.includes(kind) || typeof id !== 'string')
          throw new Error(
            `artifact ${at}: expected an object with kind (${KINDS.join(', ')}) and id`,
          )
        return artifactOf(each, { kind, id }, resolve(WITHOUT_FILE), options)
      }),
    ),
  )
}

async function readArtifact(file: string, options: Reading): Promise<Sourced> {
  const [, stem, kind = ''] = NAME.exec(basename(file)) ?? []
  const given = await parsed(
    utf8Of(await readInside(file, options.folders), 'it'),
    file.endsWith('.json'),
  )
  return artifactOf(given, { kind, id: stem ?? basename(dirname(file)) }, file, options)
}

/** @param named what its file is called */
async function artifactOf(
  given: unknown,
  named: Pick<FileArtifact, 'kind' | 'id'>,
  file: string,
  options: Reading,
): Promise<Sourced> {
  if (!isObject(given)) throw new Error('expected an object')
  const { kind } = named
  if (given.kind !== undefined && given.kind !== kind)
    throw new Error(`kind: expected ${kind}, as its name says`)
  const { $schema: _, id = named.id, ...rest } = given
  const artifact = { ...rest, kind, id: String(id) }
  if (kind === 'component') return withSource(artifact, file, options)
  const alone = (other: FileArtifact): Sourced => ({ artifact: other, source: null })
  if (kind === 'testcase') return alone(await withRows(artifact, file, options))
  if (kind === 'suite') checkSelect(artifact)
  return alone(WITH_SECRETS.has(kind) ? withSecrets(artifact, options) : artifact)
}

type Sourced = Omit<ReadFile, 'file'>

async function parsed(text: string, isJson: boolean): Promise<unknown> {
  try {
    return isJson ? await jsonOf(text) : await yamlOf(text)
  } catch (error) {
    throw error instanceof AppError ? new Error(error.message) : error
  }
}

/** Files that people write may have comments and trailing commas, as YAML has them. */
async function jsonOf(text: string): Promise<unknown> {
  try {
    return asDoubles(parseExact(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return yamlOf(text).catch(() => {
      throw new Error(`it is no JSON: ${error.message}`)
    })
  }
}

async function yamlOf(text: string): Promise<unknown> {
  const { parseYaml } = await import('../yaml.ts') // it takes its time to load
  return parseYaml(text, 'it')
}

async function withSource(
  { source, ...artifact }: FileArtifact,
  file: string,
  { bundle, folders }: Reading,
): Promise<Sourced> {
  if (typeof source !== 'string') return { artifact, source: null }
  const path = resolve(dirname(file), source)
  const text = await readBeside(path, 'source', folders)
  const language = /\.[cm]?ts$/.test(extname(path)) ? 'TYPESCRIPT' : 'JAVASCRIPT'
  if (!RELATIVE_IMPORT.test(text))
    return { artifact: { language, ...artifact, sourceCode: text }, source: path }
  if (!bundle) throw new Error(`source: ${source} imports other files`)
  const bundled = { ...artifact, language: 'JAVASCRIPT', sourceCode: await bundle(path, folders) }
  return { artifact: bundled, source: null }
}

/** Readers of datasets, by the end of the name of their file in lower case. */
const ROWS: Readonly<Record<string, (text: string) => unknown>> = {
  '.csv': parseCsv,
  '.json': (text) => asDoubles(parseExact(text)),
}

async function withRows(
  artifact: FileArtifact,
  file: string,
  { folders }: Reading,
): Promise<FileArtifact> {
  const { scenario } = artifact
  if (!isObject(scenario) || !isObject(scenario.dataset)) return artifact
  const { file: name, ...dataset } = scenario.dataset
  if (typeof name !== 'string') return artifact
  if ('rows' in dataset) throw new Error('dataset: it has file and rows: expected one of them')
  const parse = ROWS[extname(name).toLowerCase()]
  if (!parse)
    throw new Error(
      `dataset.file: ${name}: expected a .csv or .json file, or the rows themselves in dataset.rows`,
    )
  const text = await readBeside(resolve(dirname(file), name), 'dataset.file', folders)
  try {
    const rows = parse(text)
    return { ...artifact, scenario: { ...scenario, dataset: { ...dataset, rows } } }
  } catch (error) {
    throw new Error(`dataset.file: ${name}: ${error instanceof Error ? error.message : error}`)
  }
}

async function readBeside(path: string, attribute: string, folders: Folders): Promise<string> {
  const title = `${attribute}: ${relative(process.cwd(), path)}`
  const bytes = await readInside(path, folders).catch((error: Error) => {
    throw new Error(`${title}: ${error.message}`)
  })
  return utf8Of(bytes, `${title}: it`)
}

/** Variables that are the command's own, such as its token: files of others must not send them to hosts of their own. */
const OWN_VARIABLE = /^ASSAY_/i

const WITH_SECRETS: ReadonlySet<string> = new Set(['environment', 'trigger', 'receiver'])

/** The value of a secret comes from the environment of the command; without one the stored value stays. */
function withSecrets(artifact: FileArtifact, { env = {}, folders }: Reading): FileArtifact {
  const variable = (place: string, name: string): string | undefined => {
    if (folders !== null && OWN_VARIABLE.test(name))
      throw new Error(
        `${place}: ${name} belongs to the command, as all that begin with ASSAY_. Rename the variable, or add ${ALLOW_OUTSIDE} if you trust these files`,
      )
    return env[name] || undefined
  }
  if (typeof artifact.secretFrom === 'string') {
    const { secretFrom, ...rest } = artifact
    return { ...rest, secret: variable('secretFrom', secretFrom) ?? '***' } // the stored one
  }
  const { secrets } = artifact
  if (!Array.isArray(secrets)) return artifact
  const filled = secrets.map((secret: unknown) => {
    if (!isObject(secret) || typeof secret.fromEnv !== 'string') return secret
    const { fromEnv, ...rest } = secret
    const value = variable('secrets: fromEnv', fromEnv)
    return value ? { ...rest, value } : rest
  })
  return { ...artifact, secrets: filled }
}
