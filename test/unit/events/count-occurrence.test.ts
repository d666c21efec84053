import { countOccurrence, firstState } from '../../../subgraphs/events/ingestion/event-state.ts'
import { validate } from '../../../subgraphs/events/ingestion/validate.ts'

const AT = Date.parse('2026-11-20T12:00:00Z')
/** An occurrence that happened, and was received, some seconds after noon. */
const seen = (happened: number, fields: object = {}, received = happened) => {
  const createdAt = new Date(AT + happened * 1000).toISOString()
  const verdict = validate({ title: 'T', createdAt, ...fields }, new Date(AT + received * 1000))
  if ('error' in verdict) throw new Error(verdict.error)
  return verdict.occurrence
}

const OPEN = { status: 'OPEN', severity: 'WARN' }
const ACKNOWLEDGED = { ...OPEN, status: 'ACKNOWLEDGED' }

test.each([
  ['a failure that is over', OPEN, { status: 'OK' }, 'OK'],
  ['a failure that is back', { status: 'CLOSED' }, OPEN, 'OPEN'],
  ['more of what is acknowledged', ACKNOWLEDGED, OPEN, 'ACKNOWLEDGED'],
  ['less of what is acknowledged', ACKNOWLEDGED, { ...OPEN, severity: 'INFO' }, 'ACKNOWLEDGED'],
  ['worse than what is acknowledged', ACKNOWLEDGED, { ...OPEN, severity: 'ERROR' }, 'OPEN'],
  ['a word without rank', ACKNOWLEDGED, { ...OPEN, severity: 'DOWN' }, 'ACKNOWLEDGED'],
  ['the end of what is acknowledged', ACKNOWLEDGED, { status: 'CLOSED' }, 'CLOSED'],
  ["a client's own word", OPEN, { status: 'Snoozed' }, 'Snoozed'],
])('%s: %j, then %j, is %s', (_what, before, after, status) => {
  const state = firstState(seen(0, before))
  const change = countOccurrence(state, seen(1, after))
  expect(state.status).toBe(status)
  const fromStatus = before.status
  expect(change).toEqual(
    status === fromStatus ? undefined : expect.objectContaining({ fromStatus, toStatus: status }),
  )
})

test('an occurrence that happened earlier counts but overwrites nothing', () => {
  const state = firstState(seen(10, { title: 'new', status: 'OK' }))
  expect(countOccurrence(state, seen(5, { title: 'old', status: 'OPEN' }, 20))).toBeUndefined()
  expect(state).toMatchObject({ timesSeen: 2, status: 'OK', latest: { title: 'new' } })
  expect(state.firstSeenAt).toEqual(new Date(AT + 5_000))
  expect(state.lastSeenAt).toEqual(new Date(AT + 10_000))
  expect(state.lastUpdatedAt).toEqual(new Date(AT + 20_000))
})

test('of two at the same time, the one received later wins', () => {
  const state = firstState(seen(10, { title: 'received first' }))
  countOccurrence(state, seen(10, { title: 'received second' }, 11))
  expect(state.latest?.title).toBe('received second')
})
