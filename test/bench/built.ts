import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
// @ts-expect-error: a script of the build, without types
import { bundle } from '../../bundle.js'

const FOLDER = join(import.meta.dirname, '../../dist/bench')

/**
 * Builds modules as the programs of the product are built: Node itself cannot run all of its TypeScript.
 * @param sources source files or packages by a name of your own. @returns the address to import each from
 */
export async function built<Name extends string>(
  sources: Record<Name, string>,
): Promise<Record<Name, string>> {
  await bundle(sources, FOLDER)
  const names = Object.keys(sources) as Name[]
  return Object.fromEntries(
    names.map((name) => [name, pathToFileURL(join(FOLDER, `${name}.js`)).href]),
  ) as Record<Name, string>
}
