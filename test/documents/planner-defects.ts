import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const FIXES = 'gateway/federation/apollo-fixes'

const INTRODUCTION = `# Defects of the planner that the gateway works around

The fixes override methods of the classes of \`@apollo/query-planner\`, \`@apollo/query-graphs\` and \`@apollo/federation-internals\`, so all are pinned. \`@apollo/subgraph\` is pinned beside them: 2.15.1 refuses an object of \`typeDefs\` and \`resolvers\`, with which \`build-subgraph.ts\` calls it, by the error \`doc.definitions is not iterable\`.

Each defect stands here with the smallest graph that is known. Tests in \`test/unit/gateway/federation/apollo-fixes/\` show the wrong plan or response without the fix, so one fails as soon as the planner needs that fix no longer. Then the fix goes.
`

/** A page with the comment that introduces each fix. */
export function plannerDefectsPage(): string {
  const parts = globSync(`${FIXES}/**/*.ts`, { cwd: ROOT })
    .sort()
    .flatMap((path) => {
      const [, text] =
        /\/\*\*\n( \* (?:Defect|Guard)[\s\S]*?)\n \*\/\n/.exec(
          readFileSync(join(ROOT, path), 'utf8'),
        ) ?? []
      if (!text) return []
      const name = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length)
      const body = text.replaceAll(/^ \* ?/gm, '').trim()
      return [`## ${name}\n\n${body}\n\nSource: [${path}](../../${path})\n`]
    })
  return [INTRODUCTION, ...parts].join('\n')
}
