import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOf } from './check.ts'
import { commentFaults } from './comments.ts'
import { generatedPages } from './generated.ts'

/** Writes the generated pages, or with `--check` fails when one is out of date or a document has a fault. */
const ROOT = join(import.meta.dirname, '..', '..')
const at = (path: string) => join(ROOT, path)

if (process.argv.includes('--check')) {
  const stale = Object.entries(generatedPages())
    .filter(([path, text]) => !existsSync(at(path)) || readFileSync(at(path), 'utf8') !== text)
    .map(([path]) => `${path}: out of date; npm run documents writes it`)
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md']
  const paths = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const documents = new Map(
    paths
      .filter((path) => existsSync(at(path)))
      .map((path) => [path, readFileSync(at(path), 'utf8')]),
  )
  const faults = [
    ...stale,
    ...faultsOf(documents, (path) => existsSync(at(path))),
    ...commentFaults(),
  ]
  if (faults.length > 0) throw new Error(`The documents have faults:\n${faults.join('\n')}`)
} else {
  for (const [path, text] of Object.entries(generatedPages())) writeFileSync(at(path), text)
}
