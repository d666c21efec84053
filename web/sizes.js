// Prints what the pages load, in bytes after gzip, by package. `--check` fails above the budget.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { buildWeb } from './build.js'

/** All scripts of the first page together. */
const BUDGET = 160_000

const folder = await buildWeb()
const { outputs } = JSON.parse(readFileSync(`${folder}/metafile.json`, 'utf8'))
const gzipped = (path) =>
  gzipSync(readFileSync(`${folder}/${path.split('/').at(-1)}`), { level: 9 }).length

const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint === 'web/src/main.tsx')
const initial = new Set([entry])
for (const path of initial)
  for (const { path: next, kind } of outputs[path].imports)
    if (kind === 'import-statement') initial.add(next)
const scripts = Object.keys(outputs).filter((path) => path.endsWith('.js'))
const total = sum([...initial].map(gzipped))

if (process.argv.includes('--check')) {
  if (total > BUDGET)
    throw new Error(
      `The first page loads ${total} bytes of scripts (gzip); the budget is ${BUDGET}. npm run web:sizes shows them`,
    )
} else {
  const everything = sum(scripts.map(gzipped))
  console.log(`first page ${total} bytes gzip of ${BUDGET}; all scripts ${everything}`)
  const share = {}
  for (const path of scripts)
    for (const [input, { bytesInOutput }] of Object.entries(outputs[path].inputs)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? 'web'
      share[name] ??= { first: 0, later: 0 }
      share[name][initial.has(path) ? 'first' : 'later'] += bytesInOutput
    }
  console.table(
    Object.fromEntries(
      Object.entries(share)
        .filter(([, { first, later }]) => first + later > 2_000)
        .sort(([, a], [, b]) => b.first - a.first || b.later - a.later),
    ),
  )
}

function sum(numbers) {
  return numbers.reduce((all, each) => all + each, 0)
}
