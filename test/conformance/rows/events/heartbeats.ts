import { randomUUID } from 'node:crypto'
import { call, expectError } from '../../calls.ts'
import { inSection } from '../../row.ts'

interface Sent {
  state: string
  seenAt: number
  dueAt: number | null
}

export const heartbeats = inSection('EV', 'Events', [
  {
    id: 'EV-190',
    rule: 'POST /v1/heartbeats/{name}?every=5m MUST return 202 and watch the heartbeat with a grace of a tenth; only the first one needs `every`.',
    check: async () => {
      const path = `/v1/heartbeats/${randomUUID()}`
      expectError(await call('POST', path), 400, 'BAD_USER_INPUT')
      expectError(await call('POST', `${path}?every=5`), 400, 'BAD_USER_INPUT')
      const first = await call<Sent>('POST', `${path}?every=5m`)
      expect(first).toMatchObject({ status: 202, body: { state: 'PRESENT', every: '5m' } })
      expect((first.body.dueAt ?? 0) - first.body.seenAt).toBe(330_000)
      // As curl -d '' sends it.
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      expect(await call('POST', path, { headers, body: '' })).toMatchObject({
        ...{ status: 202, body: { every: '5m' } },
      })
      expect((await call('DELETE', path)).status).toBe(204)
    },
  },
  {
    id: 'EV-191',
    rule: 'Heartbeats MUST be listed, paused, resumed and deleted.',
    check: async () => {
      const name = randomUUID()
      const path = `/v1/heartbeats/${name}`
      expectError(await call('POST', `${path}/pause`), 404, 'NOT_FOUND')
      await call('POST', `${path}?every=1h`)
      expect(await call('POST', `${path}/pause`)).toMatchObject({
        ...{ status: 200, body: { state: 'PAUSED', dueAt: null } },
      })
      const { body } = await call<{ counts: object; items: { name: string; state: string }[] }>(
        'GET',
        '/v1/heartbeats?limit=1000',
      )
      expect(body.items.find((each) => each.name === name)).toMatchObject({ state: 'PAUSED' })
      expect((await call<Sent>('POST', `${path}/resume`)).body.state).toBe('PRESENT')
      expect((await call('DELETE', path)).status).toBe(204)
      expectError(await call('DELETE', path), 404, 'NOT_FOUND')
    },
  },
])
