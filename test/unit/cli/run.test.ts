import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jest } from '@jest/globals'
import type { Context } from '../../../cli/command.ts'
import { execute } from '../../../cli/commands/run.ts'
import { CommandError, EXIT } from '../../../cli/exit-codes.ts'

test('a report that fails once the time is over is no timeout', async () => {
  const time = new AbortController()
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
  const result = { id: 'r', type: 'TEST', contextId: 'price', state: 'RUNNING' }
  const requests: string[] = []
  const client = {
    async rest(method: string, path: string) {
      requests.push(`${method} ${path}`)
      if (path === '/result/r/details') {
        time.abort()
        throw new CommandError(EXIT.refused, 'no report')
      }
      return {
        ...result,
        codeCoverage: [],
        testCaseResults: [],
        ...(method === 'GET' && { state: 'COMPLETED' }),
      }
    },
    graphql: async () => ({ executionResult: null }),
    page: async () => null,
  }
  const terminal = {
    ...{ note: () => {}, line: () => {}, json: () => {}, progress: () => {} },
    paint: (_style: string, text: string) => text,
  }
  const context = {
    ...{ args: ['price'], options: { timeout: '1m', xa: 'out' }, env: {} },
    ...{ client, terminal, signal: new AbortController().signal },
  } as unknown as Context // only what is used
  try {
    await expect(execute(context, false)).rejects.toThrow('no report')
    expect(timeout).toHaveBeenCalledWith(60_000)
  } finally {
    timeout.mockRestore()
  }
  expect(requests).toEqual(['POST /noauth/execute/price', 'GET /result/r', 'GET /result/r/details'])
})

test.each<[string[], object, string]>([
  [['price'], {}, 'leave out price'],
  [[], { env: ['stage'] }, 'leave out --env'],
])('--failed takes neither %j nor %j', async (args, more, message) => {
  const options = { failed: 'r', ...more }
  const context = { args, options, env: {}, client: {}, terminal: {} } as unknown as Context // only what is used
  await expect(execute(context, false)).rejects.toThrow(message)
})

describe('an execution that is cut off', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-run-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Runs a suite that goes on until it is cancelled, and then has a teardown. */
  async function cutOff(act: (aborted: AbortController) => void, options: object, details: string) {
    const aborted = new AbortController()
    const requests: string[] = []
    const notes: string[] = []
    const suite = { id: 'r', type: 'SUITE', contextId: 'all', codeCoverage: [] }
    const states = ['RUNNING', 'RUNNING', 'ERROR']
    const clientWith = (signal: AbortSignal) => ({
      async rest(method: string, path: string) {
        signal.throwIfAborted()
        requests.push(`${method} ${path}`)
        if (method === 'POST') return { ...suite, state: 'RUNNING', testCaseResults: [] }
        const state = states.shift()
        if (states.length === 2) act(aborted)
        return { ...suite, state, testCaseResults: [] }
      },
      async text() {
        signal.throwIfAborted()
        if (details === '') throw new CommandError(EXIT.refused, 'no report')
        return details
      },
      forCleanup: () => clientWith(new AbortController().signal),
    })
    const terminal = {
      ...{ line: () => {}, json: () => {}, progress: () => {} },
      note: (text: string) => notes.push(text),
      paint: (_style: string, text: string) => text,
    }
    const context = {
      ...{ args: ['all'], options, env: {}, terminal },
      ...{ client: clientWith(aborted.signal), signal: aborted.signal },
    } as unknown as Context // only what is used
    const error = await execute(context, false).catch((thrown: unknown) => thrown)
    return { error, requests, notes }
  }

  test.each([
    ['--timeout', { timeout: '1ms' }, EXIT.timeout, () => {}],
    [
      'Ctrl-C',
      {},
      EXIT.cancelled,
      (aborted: AbortController) => aborted.abort(new CommandError(EXIT.cancelled, 'Ended')),
    ],
  ] as const)(
    'by %s leaves its reports once its teardown has ended',
    async (_, options, exitCode, act) => {
      const junit = join(folder, 'junit.xml')
      const { error, requests, notes } = await cutOff(act, { ...options, junit }, '<testsuites/>')
      expect(error).toMatchObject({ exitCode })
      expect(notes.slice(1)).toEqual(['all was cancelled'])
      expect(requests.slice(-3)).toEqual([
        'POST /result/r/cancel',
        'GET /result/r',
        'GET /result/r',
      ])
      expect(readFileSync(junit, 'utf8')).toBe('<testsuites/>')
    },
  )

  test('ends alike where reports cannot be read, and waits for none unless asked for reports', async () => {
    const junit = join(folder, 'junit.xml')
    const failed = await cutOff(() => {}, { timeout: '1ms', junit }, '')
    expect(failed).toMatchObject({
      error: { exitCode: EXIT.timeout },
      notes: [expect.anything(), 'all was cancelled', 'Reports are missing: no report'],
    })
    const { requests } = await cutOff(() => {}, { timeout: '1ms' }, '')
    expect(requests.at(-1)).toBe('POST /result/r/cancel')
  })
})
