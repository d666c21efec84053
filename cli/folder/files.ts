import { existsSync } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { FileArtifact } from '../../formats/artifact-files/file-artifact.ts'
import {
  ALLOW_OUTSIDE,
  type Folders,
  isBelow,
  plainInside,
} from '../../formats/artifact-files/inside.ts'
import { type ReadFile, readArtifactFiles } from '../../formats/artifact-files/read.ts'
import { type Context, flagOf, type Option } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { readJsonText, STDIN } from '../text-file.ts'

export { FileFaults } from '../../formats/artifact-files/read.ts'

const OUTSIDE = ALLOW_OUTSIDE.slice('--'.length)

export const FILE_OPTIONS: Readonly<Record<string, Option>> = {
  [OUTSIDE]: { does: 'let files name others outside of these paths, and ASSAY_ variables' },
}

/** The artifacts of files, folders and standard input, with their components bundled. @throws FileFaults */
export async function readFiles(
  paths: readonly string[],
  { env, options, signal }: Pick<Context, 'env' | 'options' | 'signal'>,
): Promise<ReadFile[]> {
  const text = paths.includes(STDIN) ? await readJsonText(STDIN, signal) : undefined
  const named = paths.filter((path) => path !== STDIN)
  return readArtifactFiles(named, { env, bundle, text, allowOutside: flagOf(options, OUTSIDE) })
}

/** @throws CommandError for a path that leads to nothing */
export function checkExist(paths: readonly string[]): void {
  const missing = paths.find((path) => path !== STDIN && !existsSync(path))
  if (missing !== undefined) throw usageError(`${missing}: there is no such file or folder`)
}

/** @param path where they were looked for first */
export const noArtifact = (path: string) =>
  usageError(`There is no artifact file in ${path}: expected names such as a.testcase.yaml`)

export const artifactsOf = (files: readonly ReadFile[]): FileArtifact[] =>
  files.map(({ artifact }) => artifact)

/** The part of esbuild that is used here. */
interface Bundler {
  build(options: object): Promise<{ outputFiles: { text: string }[] }>
  /** Ends its process. */
  stop?(): Promise<void>
}

interface BuildFault {
  text: string
  location: { file: string; line: number } | null
}
type Failed = Error & { errors?: BuildFault[] }

interface Hooks {
  onLoad(filter: object, load: (each: { path: string }) => unknown): void
  onResolve(filter: object, check: (each: { path: string; resolveDir: string }) => unknown): void
}

/** The web client reads it, and then says that changes belong into the files. */
const bundledFrom = (file: string) =>
  `// Bundled by assay apply from ${file}: change its files and apply them again.`

/** A bundle takes a second; one that waits for a named pipe, which a package may lead to, never ends. */
const BUNDLE_MS = 60_000

/** A component that imports other files as one module. @throws Error that names the fault */
export async function bundle(
  file: string,
  folders: Folders,
  limitMs: number = BUNDLE_MS,
): Promise<string> {
  const esbuild = await findBundler(file)
  const building = esbuild
    .build({
      entryPoints: [file],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      banner: { js: bundledFrom(basename(file)) },
      target: 'node20',
      logLevel: 'silent',
      tsconfigRaw: '{}', // reads no tsconfig.json, which may extend any file
      plugins: [readOnly(file, folders)],
    })
    .catch(async (error: Failed) => {
      const errors = error.errors ?? []
      const shown = await Promise.all(errors.map((each) => faultText(each, file, folders)))
      throw new Error(`source: ${shown.join('\n') || error.message}`)
    })
  const tooLong = delay(limitMs, null, { ref: false })
  const built = await Promise.race([building, tooLong])
  if (!built) {
    await esbuild.stop?.()
    throw new Error(
      `source: esbuild has not bundled it within ${limitMs / 1_000} s: a named pipe in the place of a file, such as the package.json of a package, keeps it waiting`,
    )
  }
  return built.outputFiles[0]?.text ?? ''
}

/** Quotes no file that may not be read: esbuild shows words of what it cannot parse. */
async function faultText({ text, location }: BuildFault, file: string, folders: Folders) {
  if (!location) return text
  const place = `${location.file}:${location.line}`
  return readable(resolve(location.file), file, folders).then(
    () => `${place}: ${text}`,
    () => `${place}: esbuild cannot read it`,
  )
}

/** @throws Error unless a source may import it */
async function readable(path: string, source: string, folders: Folders): Promise<void> {
  const real = await realpath(path)
  const isPackage = above(dirname(source)).some((each) => isBelow(real, join(each, 'node_modules')))
  await plainInside(real, isPackage ? null : folders)
}

/** The folders whose package.json esbuild reads for an import: a link or a named pipe there is refused. */
async function checkPackages(path: string, from: string): Promise<void> {
  const around = above(from)
  const named =
    path.startsWith('.') || isAbsolute(path)
      ? [resolve(from, path)]
      : around.map((each) => join(each, 'node_modules', path))
  const folders = new Set([...around, ...named.flatMap(above)])
  for (const folder of folders) {
    const found = await lstat(join(folder, 'package.json')).catch(() => null)
    if (found && !found.isFile() && !found.isDirectory())
      throw new Error(`${join(folder, 'package.json')}: it is no plain file`)
  }
}

/** Imported files are read below the folders alone, and in the packages that Node finds from there. */
const readOnly = (file: string, folders: Folders) => ({
  name: 'outside',
  setup({ onLoad, onResolve }: Hooks) {
    onResolve({ filter: /^/ }, ({ path, resolveDir }) =>
      checkPackages(path, resolveDir || dirname(file)).then(
        () => null,
        (error: Error) => ({ errors: [{ text: error.message }] }),
      ),
    )
    onLoad({ filter: /^/, namespace: 'file' }, async ({ path }) => {
      try {
        await readable(path, file, folders)
        return null
      } catch (error) {
        const text = `${relative(process.cwd(), path)}: ${error instanceof Error ? error.message : error}`
        return { errors: [{ text }] }
      }
    })
  },
})

/** A folder with those around it. */
const above = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...above(dirname(folder))]

/** It comes with the package, or else belongs to the folder of the component. */
async function findBundler(file: string): Promise<Bundler> {
  for (const from of [import.meta.url, pathToFileURL(file).href])
    try {
      return (await import(pathToFileURL(createRequire(from).resolve('esbuild')).href)) as Bundler
    } catch {} // the next place
  throw new Error(
    'source: it imports other files, and esbuild, which bundles them, is not installed here: npm install --save-dev esbuild',
  )
}
