import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse, validate } from 'graphql'
import { createPlanner } from '../../../../gateway/federation/planning/planner.ts'
import { EXAMPLES } from '../../../../gateway/http/pages/graphiql/examples.ts'
import { graphiqlPage } from '../../../../gateway/http/pages/graphiql/page.ts'

const SUPERGRAPH = new URL('../../../../schema/supergraph.graphql', import.meta.url)

test('the examples fit our graph', () => {
  const { schema } = createPlanner(readFileSync(SUPERGRAPH, 'utf8'))
  for (const { query, variables = '{}' } of EXAMPLES) {
    expect(validate(schema, parse(query))).toEqual([])
    expect(JSON.parse(variables)).toEqual(expect.any(Object))
  }
})

const policyOf = (page: ReturnType<typeof graphiqlPage>) => page.headers['Content-Security-Policy']

test('the page may run its own scripts and nothing else', () => {
  const page = graphiqlPage(EXAMPLES)
  const inline = /<script>([\s\S]*?)<\/script>/.exec(page.html)?.[1] ?? ''
  const hash = createHash('sha256').update(inline).digest('base64')
  expect(policyOf(page)).toContain(`script-src 'self' 'sha256-${hash}';`)
  expect(policyOf(page)).toMatch(/^default-src 'none';/)
  expect(policyOf(page)).not.toMatch(/unsafe-eval|https?:|\*/)
  expect(page.html).not.toMatch(/https?:\/\//)
})

test('an example cannot end the script that it stands in', () => {
  const page = graphiqlPage([{ query: '# </script><script>alert(1)</script>' }])
  expect(page.html.match(/<\/script>/g)).toHaveLength(2)
})
