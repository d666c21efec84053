import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FileArtifact } from '../../schema/artifact-files/file-artifact.ts'
import {
  ALLOW_OUTSIDE,
  type Folders,
  isBelow,
  plainInside,
} from '../../schema/artifact-files/inside.ts'
import { type ReadFile, readArtifactFiles } from '../../schema/artifact-files/read.ts'
import { type Context, flagOf, type Option } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { readJsonText, STDIN } from '../text-file.ts'

export { FileFaults } from '../../schema/artifact-files/read.ts'

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
}

/** The web client reads it, and then says that changes belong into the files. */
const bundledFrom = (file: string) =>
  `// Bundled by assay apply from ${file}: change its files and apply them again.`

/** A component that imports other files as one module. @throws Error that names the fault */
async function bundle(file: string, folders: Folders): Promise<string> {
  const esbuild = await findBundler(file)
  const { outputFiles } = await esbuild
    .build({
      entryPoints: [file],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      banner: { js: bundledFrom(basename(file)) },
      target: 'node20',
      logLevel: 'silent',
      plugins: [readOnly(file, folders)],
    })
    .catch((error: Error) => {
      throw new Error(`source: ${error.message}`)
    })
  return outputFiles[0]?.text ?? ''
}

/** Imported files are read below the folders alone, and in the packages that Node finds from there. */
const readOnly = (file: string, folders: Folders) => ({
  name: 'outside',
  setup({ onLoad }: { onLoad(filter: object, load: (each: { path: string }) => unknown): void }) {
    const packages = above(dirname(file)).map((folder) => join(folder, 'node_modules'))
    onLoad({ filter: /^/, namespace: 'file' }, async ({ path }) => {
      try {
        const real = await realpath(path)
        const isPackage = packages.some((each) => isBelow(real, each))
        await plainInside(real, isPackage ? null : folders)
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
