import { type Ingestion, post, rawEvent } from '../../events.ts'
import { inSection } from '../../row.ts'

const valid = () => rawEvent()
const invalid = () => rawEvent({ title: null })

const resultOf = async (body: unknown) => (await post(body)).body.result

/** Bodies of every kind of answer. */
const everyAnswer = async (): Promise<Ingestion[]> => {
  const bodies = [valid(), invalid(), [valid(), valid()], [valid(), invalid()], [invalid()], [], 7]
  return Promise.all(bodies.map(async (body) => (await post(body)).body))
}

export const ingestionResponse = inSection('EV', 'Resources: ingestion response', [
  {
    id: 'EV-49',
    rule: 'sent MUST be an integer: how many events were accepted.',
    check: async () => {
      expect((await resultOf(valid())).sent).toBe(1)
      expect((await resultOf([valid(), invalid(), valid()])).sent).toBe(2)
      expect((await resultOf(invalid())).sent).toBe(0)
    },
  },
  {
    id: 'EV-50',
    rule: 'success MUST be a string: "true" for all, "partial" for some, "false" for none.',
    check: async () => {
      expect((await resultOf([valid(), valid()])).success).toBe('true')
      expect((await resultOf([valid(), invalid()])).success).toBe('partial')
      expect((await resultOf([invalid(), invalid()])).success).toBe('false')
    },
  },
  {
    id: 'EV-51',
    rule: 'accepted MUST be there exactly when an event was accepted, with an integer index and a string id per event.',
    check: async () => {
      expect((await resultOf([valid(), invalid()])).accepted).toEqual([
        { index: 0, id: expect.stringMatching(/\S/) },
      ])
      expect(await resultOf([invalid()])).not.toHaveProperty('accepted')
    },
  },
  {
    id: 'EV-52',
    rule: 'errors MUST be there exactly when an event was refused, with an integer index and a string message per event.',
    check: async () => {
      expect((await resultOf([valid(), invalid()])).errors).toEqual([
        { index: 1, message: expect.stringMatching(/\S/) },
      ])
      expect(await resultOf([valid()])).not.toHaveProperty('errors')
    },
  },
  {
    id: 'EV-53',
    rule: 'index MUST be the position of the event in the array of the request, counted from 0.',
    check: async () => {
      const { accepted, errors } = await resultOf([invalid(), valid(), 'no event', valid()])
      expect(accepted?.map(({ index }) => index)).toEqual([1, 3])
      expect(errors?.map(({ index }) => index)).toEqual([0, 2])
    },
  },
  {
    id: 'EV-54',
    rule: 'index MUST be 0 for a single object.',
    check: async () => {
      expect((await resultOf(valid())).accepted?.[0]?.index).toBe(0)
      expect((await resultOf(invalid())).errors?.[0]?.index).toBe(0)
    },
  },
  {
    id: 'EV-55',
    rule: 'accepted and errors MUST be in the order of the request, and their ids belong to the events at those positions.',
    check: async () => {
      const events = Array.from({ length: 40 }, (_, i) => (i % 3 === 1 ? invalid() : valid()))
      const { accepted = [], errors = [] } = await resultOf(events)
      const ascending = (indexes: number[]) => indexes.toSorted((a, b) => a - b)
      for (const list of [accepted, errors]) {
        const indexes = list.map(({ index }) => index)
        expect(indexes).toEqual(ascending(indexes))
      }
      expect(accepted.length + errors.length).toBe(events.length)
      for (const { index, id } of accepted.slice(-2))
        expect((await resultOf(events[index])).accepted).toEqual([{ index: 0, id }])
    },
  },
  {
    id: 'EV-56',
    rule: 'No body MUST have any other key at any depth: whatever else there is to say goes into headers.',
    check: async () => {
      const expectOnly = (known: string[], value: object) =>
        expect(Object.keys(value).filter((key) => !known.includes(key))).toEqual([])
      for (const body of await everyAnswer()) {
        expectOnly(['result'], body)
        expectOnly(['sent', 'success', 'accepted', 'errors'], body.result)
        for (const item of body.result.accepted ?? []) expectOnly(['index', 'id'], item)
        for (const item of body.result.errors ?? []) expectOnly(['index', 'message'], item)
      }
    },
  },
])
