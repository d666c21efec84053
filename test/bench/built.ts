import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
// @ts-expect-error: a script of the build, without types
import { bundle } from '../../bundle.js'

/** Folder in which modules find the files beside them. */
const FOLDER = join(import.meta.dirname, '../../dist')

/**
 * Builds modules as the programs of the product are built: Node itself cannot run all of its TypeScript.
 * @param sources source files or packages by a name of your own. @returns the address to import each from
 */
export async function built<Name extends string>(
  sources: Record<Name, string>,
): Promise<Record<Name, string>> {
  const named = Object.entries(sources).map(([name, source]) => [`bench.${name}`, source])
  await bundle(Object.fromEntries(named), FOLDER)
  const names = Object.keys(sources) as Name[]
  return Object.fromEntries(
    names.map((name) => [name, pathToFileURL(join(FOLDER, `bench.${name}.js`)).href]),
  ) as Record<Name, string>
}
