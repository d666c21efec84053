import type { Client } from 'graphql-ws'
import { accept, newTitle, rawEvent } from '../../conformance/events.ts'
import { connect, data } from '../../support/e2e/graph.ts'

interface Change {
  cursor: string
  event: { status: string; timesSeen: number; title: string }
  rawEvent: { title: string } | null
  statusChange: { toStatus: string; changedBy: string | null } | null
}

const WATCH = `subscription ($query: String, $after: String) { eventChanged(query: $query, after: $after) {
  cursor event { title status timesSeen } rawEvent { title } statusChange { toStatus changedBy } } }`

const SET = `mutation ($id: ID!, $status: SettableStatus!) {
  setEventStatus(input: { id: $id, status: $status }) { status } }`

describe('changes of events', () => {
  let client: Client
  beforeEach(() => {
    client = connect()
  })
  afterEach(() => client.dispose())

  const watch = (variables: { query?: string; after?: string }) => {
    const stream = client.iterate<{ eventChanged: Change }>({ query: WATCH, variables })
    return async (): Promise<Change> => {
      const { value } = await stream.next()
      expect(value?.errors).toBeUndefined()
      return value?.data?.eventChanged as Change
    }
  }

  test('what is counted and what people set arrives in one order, and a cursor continues behind it', async () => {
    const title = newTitle()
    const next = watch({ query: `title:"${title}"`, after: '' })
    const id = await accept(rawEvent({ title, status: 'OPEN' }))
    const first = await next()
    expect(first).toMatchObject({
      event: { timesSeen: 1 },
      rawEvent: { title },
      statusChange: null,
    })
    for (const status of ['ACKNOWLEDGED', 'CLOSED']) {
      await data(SET, { id, status })
      expect(await next()).toMatchObject({
        event: { status },
        rawEvent: null,
        statusChange: { toStatus: status, changedBy: 'anonymous' },
      })
    }
    await accept(rawEvent({ title, status: 'OPEN' }))
    expect(await next()).toMatchObject({ event: { timesSeen: 2, status: 'OPEN' } })

    const again = watch({ query: `title:"${title}"`, after: first.cursor })
    const changes = [await again(), await again(), await again()]
    expect(changes.map(({ statusChange }) => statusChange?.toStatus ?? 'seen')).toEqual([
      'ACKNOWLEDGED',
      'CLOSED',
      'seen',
    ])
  })
})
