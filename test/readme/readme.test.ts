import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { type Block, commandBlocks, patternOf } from './blocks.ts'
import { committed, Reader } from './reader.ts'

/** The command that goes on until Ctrl-C. */
const START = 'npm start'
/** The command that .ci/run types itself: it takes minutes. */
const TEST = 'npm test'
/** The command that needs no clone, and the one that makes its file. */
const ALONE = 'npx --yes ./assay-*.tgz serve'
const PACKAGE = 'npm run package'
const AGAIN_MS = 60_000
/** Installing takes minutes beside other tests. */
const INSTALL_MS = 900_000

const reader = new Reader(await freePort())
const blocks = commandBlocks(committed('README.md'))
/** They go on from what README has started. */
const CONTINUED = [
  'docs/how-to/call-rest.md',
  'docs/tutorial/first-scenario.md',
  'docs/reference/scenarios.md',
]
afterAll(() => reader.leave())

test('the commands to start and to test come in blocks of their own', () => {
  expect(blocks.map(({ script }) => script.split('\n').at(-1))).toEqual(
    expect.arrayContaining([START, TEST]),
  )
})

test('the test command is the one that continuous integration types', () => {
  const steps = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8')
  expect(steps).toMatch(new RegExp(`\\b${TEST}\\b`))
})

describe('a reader who types the commands of README into a fresh clone', () => {
  for (const block of blocks.filter(({ script }) => ![TEST, ALONE].includes(script)))
    test(`${block.script.split('\n')[0]} …`, () => type(block), INSTALL_MS)

  describe.each(CONTINUED)('and then those of %s', (page) => {
    for (const block of commandBlocks(committed(page)))
      test(`${block.script.split('\n')[0]} …`, () => type(block))
  })

  test('Ctrl-C ends the product with exit code 0', async () => {
    expect(await reader.interrupt()).toBe(0)
  })

  test(
    'a folder that holds nothing but the file of the product starts it with one command',
    async () => {
      expect(blocks.map(({ script }) => script)).toContain(ALONE)
      expect(committed('README.md')).toContain(`\`${PACKAGE}\``)
      await reader.run(PACKAGE)
      await reader.moveAway('assay-*.tgz')
      await reader.start(ALONE)
      const url = 'http://127.0.0.1:4000/api/testcase/loan-schedule/execute?synchron=true'
      const credentials = `credentials: $(printf 'ci:secret' | base64)`
      const result = await reader.run(`curl -s -X POST -H "${credentials}" '${url}'`)
      expect(JSON.parse(result)).toMatchObject({ state: 'COMPLETED' })
      await reader.interrupt() // npx itself ends by the signal, after the product
      await expect(reader.run('curl -s http://127.0.0.1:4000/healthz')).rejects.toThrow()
    },
    INSTALL_MS,
  )
})

async function type({ script, output }: Block): Promise<void> {
  const lines = script.split('\n')
  if (lines.at(-1) !== START) return see(script, output)
  await reader.run(lines.slice(0, -1).join('\n'))
  await reader.start(START)
}

/** Events follow executions a moment later, so a reader may have to ask the graph again. */
async function see(script: string, output: string | null): Promise<void> {
  const deadline = Date.now() + (script.includes('/graphql') ? AGAIN_MS : 0)
  for (;;) {
    const seen = await reader.run(script)
    if (output === null || patternOf(output).test(seen)) return
    if (Date.now() > deadline) return expect(seen).toMatch(patternOf(output))
    await delay(100)
  }
}
