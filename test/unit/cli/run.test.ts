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
