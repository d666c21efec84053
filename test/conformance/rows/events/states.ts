import { graphql } from '../../calls.ts'
import { accept, newTitle, rawEvent, store } from '../../events.ts'
import { inSection } from '../../row.ts'

const SET_STATUS = `mutation ($input: SetEventStatusInput!) { setEventStatus(input: $input) { status } }`
const CHANGES = `query ($id: ID!) { event(id: $id) {
  status statusHistory(first: 10) { nodes { from: fromStatus to: toStatus changedBy at } } } }`

interface Changed {
  status: string
  statusHistory: { nodes: object[] }
}

export const states = inSection('EV', 'States and transitions', [
  {
    id: 'EV-57',
    rule: 'An event MUST carry the status of its last occurrence.',
    check: async () => {
      const title = newTitle()
      const statusAfter = async (status: string) =>
        (await store(rawEvent({ title, status }))).status
      expect(await statusAfter('OPEN')).toBe('OPEN')
      expect(await statusAfter('CLOSED')).toBe('CLOSED')
      expect(await statusAfter('OPEN')).toBe('OPEN')
      expect(await statusAfter('OK')).toBe('OK')
      expect(await statusAfter('ACKNOWLEDGED')).toBe('ACKNOWLEDGED')
    },
  },
  {
    id: 'EV-58',
    rule: 'An acknowledged event MUST stay acknowledged when it occurs OPEN again, unless its severity rises.',
    check: async () => {
      const title = newTitle()
      const after = (status: string, severity: string) => rawEvent({ title, status, severity })
      const stays = await store(after('ACKNOWLEDGED', 'WARN'), after('OPEN', 'WARN'))
      expect(stays).toMatchObject({ status: 'ACKNOWLEDGED', severity: 'WARN', timesSeen: 2 })
      expect(await store(after('OPEN', 'CRITICAL'))).toMatchObject({ status: 'OPEN', timesSeen: 3 })
    },
  },
  {
    id: 'EV-59',
    rule: 'People MUST be able to acknowledge, close and reopen an event, and see who changed its status when.',
    check: async () => {
      const id = await accept(rawEvent({ status: 'OPEN' }))
      for (const status of ['ACKNOWLEDGED', 'CLOSED', 'OPEN'])
        await graphql(SET_STATUS, { input: { id, status } })
      const { event } = await graphql<{ event: Changed }>(CHANGES, { id })
      expect(event.status).toBe('OPEN')
      expect(event.statusHistory.nodes).toEqual(
        [
          ['CLOSED', 'OPEN'],
          ['ACKNOWLEDGED', 'CLOSED'],
          ['OPEN', 'ACKNOWLEDGED'],
        ].map(([from, to]) => ({
          from,
          to,
          changedBy: 'anonymous',
          at: expect.stringMatching(/Z$/),
        })),
      )
    },
  },
])
