import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FileArtifact } from '../../schema/artifact-files/file-artifact.ts'
import { type ReadFile, readArtifactFiles } from '../../schema/artifact-files/read.ts'
import type { Context } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { readJsonText, STDIN } from '../text-file.ts'

export { FileFaults } from '../../schema/artifact-files/read.ts'

/** The artifacts of files, folders and standard input, with their components bundled. @throws FileFaults */
export async function readFiles(
  paths: readonly string[],
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<ReadFile[]> {
  const text = paths.includes(STDIN) ? await readJsonText(STDIN, signal) : undefined
  const named = paths.filter((path) => path !== STDIN)
  return readArtifactFiles(named, { env, bundle, text })
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
async function bundle(file: string): Promise<string> {
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
    })
    .catch((error: Error) => {
      throw new Error(`source: ${error.message}`)
    })
  return outputFiles[0]?.text ?? ''
}

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
