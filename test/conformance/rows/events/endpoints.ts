import { call, expectError } from '../../calls.ts'
import { post, postText, rawEvent, read, refusedAsAWhole } from '../../events.ts'
import { inSection } from '../../row.ts'

const valid = () => rawEvent()
const invalid = () => rawEvent({ title: null })
const missing = (index: number) => ({ index, message: 'The required field was missing: [title]' })
const accepted = (index: number) => ({ index, id: expect.stringMatching(/\S/) })

/** Asserts status and the whole body. */
async function expectAnswer(body: unknown, status: number, result: object): Promise<void> {
  const answer = await post(body)
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { result } })
}

export const endpoints = inSection('EV', 'Endpoints', [
  {
    id: 'EV-60',
    rule: 'POST /v1/events MUST take one event as an object, or many as an array.',
    check: async () => {
      expect(await post(valid())).toMatchObject({ status: 202 })
      expect(await post([valid()])).toMatchObject({ status: 202 })
    },
  },
  {
    id: 'EV-61',
    rule: 'The content type MUST be application/json, with or without a charset; any other, or none, is refused with 415.',
    check: async () => {
      const text = JSON.stringify(valid())
      for (const type of [
        'application/json',
        'application/json; charset=utf-8',
        'Application/JSON',
      ])
        expect(await postText(text, { 'content-type': type })).toMatchObject({ status: 202 })
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        const { status, body } = await postText(text, { 'content-type': type })
        expect({ type, status, body }).toEqual({ type, status: 415, body: refusedAsAWhole() })
      }
      const untyped = await call('POST', '/v1/events', { body: new TextEncoder().encode(text) })
      expect(untyped).toMatchObject({ status: 415, body: refusedAsAWhole() })
    },
  },
  {
    id: 'EV-62',
    rule: 'A single valid event MUST be answered with 202, success "true", sent 1 and one accepted element.',
    check: () => expectAnswer(valid(), 202, { sent: 1, success: 'true', accepted: [accepted(0)] }),
  },
  {
    id: 'EV-63',
    rule: 'A single invalid event MUST be answered with 400, success "false", sent 0 and one element in errors.',
    check: () => expectAnswer(invalid(), 400, { sent: 0, success: 'false', errors: [missing(0)] }),
  },
  {
    id: 'EV-64',
    rule: 'An array of valid events MUST be answered with 202, success "true", sent as its length and all of them accepted.',
    check: async () => {
      for (const length of [1, 2, 7])
        await expectAnswer(Array.from({ length }, valid), 202, {
          sent: length,
          success: 'true',
          accepted: Array.from({ length }, (_, index) => accepted(index)),
        })
    },
  },
  {
    id: 'EV-65',
    rule: 'An array with valid and invalid events MUST be answered with 202, success "partial", sent as the number of valid ones, and both lists.',
    check: async () => {
      await expectAnswer([valid(), invalid()], 202, {
        sent: 1,
        success: 'partial',
        accepted: [accepted(0)],
        errors: [missing(1)],
      })
      await expectAnswer([invalid(), valid(), valid(), invalid(), valid()], 202, {
        sent: 3,
        success: 'partial',
        accepted: [accepted(1), accepted(2), accepted(4)],
        errors: [missing(0), missing(3)],
      })
    },
  },
  {
    id: 'EV-66',
    rule: 'An array of invalid events MUST be answered with 400, success "false", sent 0 and all of them in errors.',
    check: async () => {
      for (const length of [1, 3])
        await expectAnswer(Array.from({ length }, invalid), 400, {
          sent: 0,
          success: 'false',
          errors: Array.from({ length }, (_, index) => missing(index)),
        })
    },
  },
  {
    id: 'EV-67',
    rule: 'An element of the array that is no object MUST be an error of that element only.',
    check: async () => {
      for (const element of [7, 'text', null, true, [], [valid()]]) {
        const { status, body } = await post([valid(), element])
        expect({ element, status, body }).toEqual({
          element,
          status: 202,
          body: {
            result: {
              sent: 1,
              success: 'partial',
              accepted: [accepted(0)],
              errors: [{ index: 1, message: expect.stringMatching(/\S/) }],
            },
          },
        })
      }
    },
  },
  {
    id: 'EV-68',
    rule: 'GET /v1/events/{id} MUST give one stored event; an unknown id is answered with 404.',
    check: async () => {
      const { body } = await post(valid())
      const id = body.result.accepted?.[0]?.id ?? ''
      expect(await read(id)).toMatchObject({ status: 200, body: { id } })
      for (const unknown of ['no-such-event', '00000000-0000-4000-8000-000000000000'])
        expectError(await read(unknown), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'EV-69',
    rule: 'GET /v1/events MUST list events as counts.total and items, selected by q in Lucene syntax.',
    todo: 'events',
  },
  {
    id: 'EV-70',
    rule: 'Reading lists MUST page by cursor and limit (1 to 1000, 50 by default), with the next page in Link.',
    todo: 'events',
  },
  {
    id: 'EV-71',
    rule: 'An answer of 202 MUST mean that the events are committed: they are readable at once.',
    check: async () => {
      const { body } = await post(Array.from({ length: 20 }, valid))
      const ids = body.result.accepted?.map(({ id }) => id) ?? []
      expect(ids).toHaveLength(20)
      for (const { status } of await Promise.all(ids.map(read))) expect(status).toBe(200)
    },
  },
  {
    id: 'EV-72',
    rule: 'Events that were answered with 202 MUST survive a crash of product and database.',
    todo: 'events',
  },
  {
    id: 'EV-73',
    rule: 'The same Idempotency-Key MUST replay the first answer for 24 hours and count nothing twice; with another body it is refused with 422.',
    todo: 'events',
  },
])
