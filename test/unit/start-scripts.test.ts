import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { scripts } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as {
  scripts: Record<string, string>
}
const starts = Object.entries(scripts).filter(([name]) => /^start(:|$)/.test(name))

test.each(starts)('npm run %s builds what is out of date without a second npm', (_name, script) => {
  expect(script).toMatch(/^node build\.js && exec node dist\//)
})

test('npm ci builds what a start needs', () => {
  expect(scripts.prepare).toContain('node build.js')
})
