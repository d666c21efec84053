import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { keptEvidence, MAX_KEPT_PASSED, noEvidence } from '../../../runner/run/evidence.ts'
import { createRunCount, DEFAULT_RUN_LIMITS } from '../../../runner/run/limits.ts'
import { createMask } from '../../../runner/run/mask.ts'

const MEGABYTE = 2 ** 20

function heldMib(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MEGABYTE
}

/** Text that no other text shares memory with, as that of a response. */
const bodyOf = (at: number) => Buffer.alloc(MEGABYTE, `${at} `).toString()

test('evidence of a response holds no more of it in memory than it keeps', () => {
  const count = createRunCount(DEFAULT_RUN_LIMITS)
  const evidenceOf = (at: number) => {
    const body = bodyOf(at)
    const response = { status: 200, headers: {}, body, bodyLength: body.length }
    const request = { method: 'GET', url: 'http://shop/', headers: {}, body: null, bodyLength: 0 }
    const exchange = { request, response, durationMs: 1 }
    return keptEvidence({ ...noEvidence(), exchange }, true, createMask(), count)
  }
  const before = heldMib()
  const kept = Array.from({ length: 100 }, (_, at) => evidenceOf(at))
  expect(heldMib() - before).toBeLessThan(20)
  expect(kept[0]?.exchange?.response?.body).toHaveLength(MAX_KEPT_PASSED)
  expect(kept[99]?.exchange?.response?.bodyLength).toBe(MEGABYTE)
})
