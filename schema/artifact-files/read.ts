import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { AppError } from '../errors.ts'
import { asDoubles, parseExact, utf8Of } from '../json.ts'
import { parseCsv } from './csv.ts'
import { fileReason } from './file-reason.ts'

/** What an artifact file describes, ready to be applied. */
export interface FileArtifact extends Record<string, unknown> {
  kind: string
  id: string
}

export interface ReadFile {
  /** As messages name it. */
  file: string
  artifact: FileArtifact
  /** Of a component whose lines are those of one file: that file. */
  source: string | null
}

export interface ReadOptions {
  /** The source of a component whose file imports others, as one module. Without it such files are refused. */
  bundle?: (file: string) => Promise<string>
  /** Values of secrets, by the name that `fromEnv` gives. */
  env?: Readonly<Record<string, string | undefined>>
}

/** What is wrong with files, each with its name. */
export class FileFaults extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** `<id>.<kind>.yaml`, or `<kind>.yaml` in a folder of that id. All other files are read only where one names them. */
const NAME = /^(?:(.+)\.)?(component|testcase|suite|environment)\.(?:ya?ml|json)$/
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
  options: ReadOptions = {},
): Promise<ReadFile[]> {
  const files = [...new Set((await Promise.all(paths.map((path) => filesAt(path)))).flat())]
  const seen = new Set<string>()
  const read: ReadFile[] = []
  const faults: string[] = []
  for (const file of files) {
    const title = relative(process.cwd(), file)
    try {
      const { artifact, source } = await readArtifact(file, options)
      const own = `${await realpath(file)} ${artifact.id}`
      if (seen.has(own)) continue // a link leads to it, too
      seen.add(own)
      read.push({ file: title, artifact, source: source && relative(process.cwd(), source) })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      faults.push(`${title}: ${error.message}`)
    }
  }
  if (faults.length > 0) throw new FileFaults(faults)
  selectMembers(read.map(({ artifact }) => artifact))
  return read
}

/** Follows links. @param above real paths of the folders around it */
async function filesAt(path: string, above: readonly string[] = []): Promise<string[]> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new FileFaults([`${path}: there is no such file or folder`])
  if (!found.isDirectory()) {
    if (isArtifactFile(path)) return [resolve(path)]
    throw new FileFaults([`${path}: ${EXPECTED_NAME}`])
  }
  const own = await realpath(path)
  if (above.includes(own)) return []
  const entries = await readdir(path, { withFileTypes: true })
  const inside = entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(async (entry) => {
      const at = join(path, entry.name)
      const isLinked = entry.isSymbolicLink() && (await stat(at).catch(() => null))?.isDirectory()
      if (entry.isDirectory() || isLinked) return filesAt(at, [...above, own])
      return isArtifactFile(at) ? [resolve(at)] : []
    })
  return (await Promise.all(inside)).flat()
}

const EXPECTED_NAME =
  'expected a name such as price.testcase.yaml, with component, testcase, suite or environment before .yaml or .json'

async function readArtifact(file: string, options: ReadOptions): Promise<Sourced> {
  const given = await contentOf(file)
  if (!isObject(given)) throw new Error('expected an object')
  const [, stem, kind = ''] = NAME.exec(basename(file)) ?? []
  if (given.kind !== undefined && given.kind !== kind)
    throw new Error(`kind: expected ${kind}, as its name says`)
  const { $schema: _, id = stem ?? basename(dirname(file)), ...rest } = given
  const artifact = { ...rest, kind, id: String(id) }
  if (kind === 'component') return withSource(artifact, file, options)
  const alone = (other: FileArtifact): Sourced => ({ artifact: other, source: null })
  if (kind === 'testcase') return alone(await withRows(artifact, file))
  if (kind === 'suite') checkSelect(artifact)
  return alone(kind === 'environment' ? withSecrets(artifact, options) : artifact)
}

type Sourced = Omit<ReadFile, 'file'>

async function contentOf(file: string): Promise<unknown> {
  const text = utf8Of(await readFile(file), 'it')
  try {
    return file.endsWith('.json') ? await jsonOf(text) : await yamlOf(text)
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
  { bundle }: ReadOptions,
): Promise<Sourced> {
  if (typeof source !== 'string') return { artifact, source: null }
  const path = resolve(dirname(file), source)
  const text = await readBeside(path, 'source')
  const language = /\.[cm]?ts$/.test(extname(path)) ? 'TYPESCRIPT' : 'JAVASCRIPT'
  if (!RELATIVE_IMPORT.test(text))
    return { artifact: { language, ...artifact, sourceCode: text }, source: path }
  if (!bundle) throw new Error(`source: ${source} imports other files`)
  const bundled = { ...artifact, language: 'JAVASCRIPT', sourceCode: await bundle(path) }
  return { artifact: bundled, source: null }
}

/** How the rows of a dataset are read, by the end of the name of their file in lower case. */
const ROWS: Readonly<Record<string, (text: string) => unknown>> = {
  '.csv': parseCsv,
  '.json': (text) => asDoubles(parseExact(text)),
}

async function withRows(artifact: FileArtifact, file: string): Promise<FileArtifact> {
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
  const text = await readBeside(resolve(dirname(file), name), 'dataset.file')
  try {
    const rows = parse(text)
    return { ...artifact, scenario: { ...scenario, dataset: { ...dataset, rows } } }
  } catch (error) {
    throw new Error(`dataset.file: ${name}: ${error instanceof Error ? error.message : error}`)
  }
}

async function readBeside(path: string, attribute: string): Promise<string> {
  const title = `${attribute}: ${relative(process.cwd(), path)}`
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${title}: ${fileReason(error)}`)
  })
  return utf8Of(bytes, `${title}: it`)
}

/** The value of a secret comes from the environment of the command; without one the stored value stays. */
function withSecrets(artifact: FileArtifact, { env = {} }: ReadOptions): FileArtifact {
  const { secrets } = artifact
  if (!Array.isArray(secrets)) return artifact
  const filled = secrets.map((secret: unknown) => {
    if (!isObject(secret) || typeof secret.fromEnv !== 'string') return secret
    const { fromEnv, ...rest } = secret
    const value = env[fromEnv]
    return value ? { ...rest, value } : rest
  })
  return { ...artifact, secrets: filled }
}

const SELECT_KEYS = ['tags', 'skipTags']

/** As the JSON Schema of artifact files has it: what is wrong would select other scenarios than meant, or none. */
function checkSelect({ select }: FileArtifact): void {
  if (select === undefined) return
  const example = 'such as { tags: [ smoke ], skipTags: [ slow ] }'
  if (!isObject(select)) throw new Error(`select: expected an object, ${example}`)
  const unknown = Object.keys(select).filter((key) => !SELECT_KEYS.includes(key))
  if (unknown.length > 0)
    throw new Error(
      `select: unknown key ${unknown.join(', ')}: expected tags and skipTags, ${example}`,
    )
  const { tags, skipTags = [] } = select
  if (!isTexts(tags) || tags.length === 0)
    throw new Error('select.tags: expected a list of at least one tag, such as [ smoke ]')
  if (!isTexts(skipTags))
    throw new Error('select.skipTags: expected a list of tags, such as [ slow ]')
}

/** Suites that select by tag get the scenarios of the same call that have one of the tags, and none of `skipTags`. */
function selectMembers(artifacts: FileArtifact[]): void {
  const testCases = artifacts.filter(({ kind }) => kind === 'testcase')
  for (const suite of artifacts) {
    if (suite.kind !== 'suite' || !isObject(suite.select)) continue
    const wanted = textsOf(suite.select.tags)
    const unwanted = textsOf(suite.select.skipTags)
    const listed = suite.testCases ?? []
    delete suite.select
    if (!Array.isArray(listed)) continue // for Assay to refuse
    const tagged = testCases
      .filter(({ tags }) => textsOf(tags).some((tag) => wanted.includes(tag)))
      .filter(({ tags }) => !textsOf(tags).some((tag) => unwanted.includes(tag)))
      .map(({ id }) => id)
      .sort()
    suite.testCases = [...new Set([...listed, ...tagged])]
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
