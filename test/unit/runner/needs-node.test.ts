import { needsNode } from '../../../runner/sandbox/sandbox.ts'

test.each([
  'Buffer.from("x")',
  'new URL(text)',
  'import { join } from "node:path"',
  'const { join } = await import("path")',
  'export * from"util"',
  'performance.mark("x")',
  'new FinalizationRegistry(f)',
])('%s needs the first realm of Node', (source) => {
  expect(needsNode(source)).toBe(true)
})

test.each([
  'export const f = () => Array.from([1]).length',
  'setTimeout(f, performance.now())',
  'class Point { constructor(x) { this.x = x } }',
  'console.log(new Date(), Intl, process.env)',
  'const importance = 1, myURLs = []',
])('%s does not', (source) => {
  expect(needsNode(source)).toBe(false)
})
