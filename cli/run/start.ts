import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { FileArtifact } from '../../formats/artifact-files/file-artifact.ts'
import { isArtifactFile, type ReadFile } from '../../formats/artifact-files/read.ts'
import { type Context, labelsOf, listOf, type Option, type Options, textOf } from '../command.ts'
import { CommandError, EXIT, usageError } from '../exit-codes.ts'
import { artifactsOf, checkExist, FILE_OPTIONS, readFiles } from '../folder/files.ts'
import { STDIN } from '../text-file.ts'
import { inEnvironments } from './matrix.ts'
import type { Result } from './result.ts'

export const START_OPTIONS: Readonly<Record<string, Option>> = {
  env: {
    value: 'ID',
    multiple: true,
    does: 'environment to run in, instead of that of the scenarios; several run all in each',
  },
  label: { value: 'NAME=VALUE', multiple: true, does: 'mark to find the execution by' },
  with: {
    value: 'PATH',
    multiple: true,
    does: 'file or folder with more artifacts that the files name',
  },
  tag: { value: 'TAG', multiple: true, does: 'of many, only scenarios with one of these tags' },
  'skip-tag': { value: 'TAG', multiple: true, does: 'of many, none with one of these tags' },
  failed: { value: 'RESULT', does: 'execute again what did not pass of this result' },
  ...FILE_OPTIONS,
}

/** Scenarios of a folder that run at a time. */
const MAX_PARALLEL = 4

/** Arguments that are meant as paths: no id has a slash, and few have the end of a file. */
const PATH = /\/|\.(?:ya?ml|json)$/i

/** Execution to start. */
interface Planned {
  contextId: string
  /** Null for what is stored. */
  artifacts: FileArtifact[] | null
  /** Those that hold the artifacts. */
  files: readonly ReadFile[]
}

export interface Started {
  result: Result
  /** Name of a component → the file with its lines. */
  sources: ReadonlyMap<string, string>
  /** Id of a scenario → its file. */
  files: ReadonlyMap<string, string>
}

/** Starts an execution. A lost answer is asked for again and starts nothing twice. @throws CommandError */
export async function start(context: Context): Promise<Started> {
  const { client, env, options } = context
  const label = labelsOf(options)
  const credentials = credentialsOf(env)
  const request = {
    headers: { 'idempotency-key': randomUUID(), ...(credentials && { credentials }) },
    isRepeatable: true,
  }
  /** Starts an execution of stored artifacts, whose scenarios may need host credentials. */
  const post = (path: string, query: Parameters<Context['client']['rest']>[2]) =>
    client.rest<Result>('POST', path, { ...request, ...query }).catch((error: unknown) => {
      if (!(error instanceof CommandError && error.code === 'FORBIDDEN') || credentials) throw error
      throw new CommandError(EXIT.refused, `${error.message}. Set ASSAY_CREDENTIALS`, error.code)
    })
  const failed = failedOf(context)
  if (failed !== null) {
    const path = `/result/${encodeURIComponent(failed)}/execute`
    const result = await post(path, { query: { label, only: 'not-passed' } })
    return { ...placesOf([]), result }
  }
  const planned = await plan(context)
  const environments = listOf(options, 'env')
  const isMatrix = environments.length > 1
  const { contextId, artifacts } = isMatrix
    ? await inEnvironments(planned, environments, client)
    : planned
  const [environmentId] = isMatrix ? [] : environments
  const tag = listOf(options, 'tag')
  const skipTag = listOf(options, 'skip-tag')
  const known = placesOf(planned.files)
  if (artifacts) {
    const choice = { tags: tag, skipTags: skipTag }
    const body = { contextId, artifacts, environmentId: environmentId ?? null, ...choice }
    const inline = { ...request, query: { label }, body }
    const result = await client.rest<Result>('POST', '/execute', inline)
    return { ...known, result }
  }
  const path = credentials ? '/execute' : '/noauth/execute'
  const query = { label, environmentId, tag, skipTag }
  const result = await post(`${path}/${encodeURIComponent(contextId)}`, { query })
  return { ...known, result }
}

/** The result of `--failed`; null without it. @throws CommandError for what does not go with it, and for nothing to run */
function failedOf({ args, options }: Context): string | null {
  const result = textOf(options, 'failed')
  if (result === undefined) {
    if (args.length > 0) return null
    throw usageError('Expected an id, a file, a folder or --failed RESULT. See assay run --help')
  }
  const others = ['env', 'with', 'tag', 'skip-tag'].filter(
    (name) => listOf(options, name).length > 0,
  )
  const [other] = [...args, ...others.map((name) => `--${name}`)]
  if (other === undefined) return result
  throw usageError(`--failed takes what to execute from the result ${result}: leave out ${other}`)
}

async function plan(context: Context): Promise<Planned> {
  const { args, options } = context
  const [first = ''] = args
  const stored = { contextId: first, artifacts: null, files: [] }
  if (!args.some((arg) => arg === STDIN || existsSync(arg))) {
    checkExist(args.filter((arg) => PATH.test(arg)))
    if (args.length > 1) throw usageError(`Expected one id, or files that exist: ${args.join(' ')}`)
    return stored
  }
  const isOneFile = args.length === 1 && first !== STDIN && statSync(first).isFile()
  // A file or folder of another purpose does not hide what is stored.
  const mayBeId = args.length === 1 && !PATH.test(first) && !NO_IDS.includes(first)
  if (mayBeId && isOneFile && !isArtifactFile(first)) return stored
  // Artifacts that a file names often stand beside it.
  const paths = isOneFile ? besides(first) : args
  const files = await readFiles([...paths, ...listOf(options, 'with')], context)
  if (mayBeId && files.length === 0) return stored
  return isOneFile ? planOfFile(first, files) : planOfFolder(first, files, options)
}

const NO_IDS = ['.', '..', STDIN]

/** A file and those in the same folder; with a name that is wrong, it alone, which says so. */
const besides = (path: string): string[] =>
  isArtifactFile(path)
    ? readdirSync(dirname(path))
        .filter(isArtifactFile)
        .map((name) => join(dirname(path), name))
    : [path]

function planOfFile(path: string, files: readonly ReadFile[]): Planned {
  const own = files.find(({ file }) => resolve(file) === resolve(path))?.artifact
  if (own?.kind !== 'testcase' && own?.kind !== 'suite')
    throw usageError(
      `${path} is no scenario and no suite: expected *.testcase.yaml or *.suite.yaml`,
    )
  return { contextId: own.id, artifacts: artifactsOf(files), files }
}

/** All scenarios of a folder run as a suite that is made for the run. */
function planOfFolder(path: string, files: readonly ReadFile[], options: Options): Planned {
  const artifacts = artifactsOf(files)
  const [wanted, unwanted] = [listOf(options, 'tag'), listOf(options, 'skip-tag')]
  const testCases = artifacts
    .filter(({ kind }) => kind === 'testcase')
    .filter((each) => wanted.length === 0 || tagsOf(each).some((tag) => wanted.includes(tag)))
    .filter((each) => !tagsOf(each).some((tag) => unwanted.includes(tag)))
    .map(({ id }) => id)
  const [only] = testCases
  if (only === undefined) throw usageError(`There is no scenario to run in ${path}`)
  if (testCases.length === 1) return { contextId: only, artifacts, files }
  const name = path === STDIN ? 'stdin' : basename(resolve(path)).replace(/[^A-Za-z0-9._~:-]/g, '-')
  const taken = new Set(artifacts.map(({ id }) => id))
  const id = taken.has(name) ? `${name}-${randomUUID()}` : name
  const suite = { kind: 'suite', id, name, testCases, maxParallel: MAX_PARALLEL }
  return { contextId: id, artifacts: [...artifacts, suite], files }
}

const placesOf = (files: readonly ReadFile[]): Omit<Started, 'result'> => ({
  sources: new Map(
    files.flatMap(({ artifact: { id, name = id }, source }) =>
      source === null ? [] : [[String(name), source]],
    ),
  ),
  files: new Map(
    files.flatMap(({ artifact: { kind, id }, file }) => (kind === 'testcase' ? [[id, file]] : [])),
  ),
})

const tagsOf = ({ tags }: FileArtifact): string[] =>
  Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []

/** @throws CommandError for what is no user with a password */
function credentialsOf({ ASSAY_CREDENTIALS: given }: Context['env']): string | undefined {
  if (!given) return undefined
  if (!given.includes(':')) throw usageError('ASSAY_CREDENTIALS: expected <USER_ID>:<PASSWORD>')
  return Buffer.from(given).toString('base64')
}
