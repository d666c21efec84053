import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents()
})
afterAll(() => events.stop())

/** Texts that are special in the formats that rows travel in. */
const ODD = [
  '\\',
  '\\N',
  '\\.',
  'null',
  'tab\tnew line\nreturn\rback\bfeed\fvertical\v',
  '"quoted", {braced}',
  "it's",
  '\\"',
  'C:\\new\\table',
  '😀 \u2028 \u00a0',
]

test.each(ODD)('%j is stored as it is sent, in a new event and in a known one', async (odd) => {
  const event = {
    title: `${odd} title`,
    message: odd,
    tags: [odd, ''],
    properties: { [odd]: odd, list: [odd, null, 1.5e300] },
    source: { ref: odd, type: odd, name: odd, properties: { [odd]: odd } },
    sender: { ref: odd },
    eventClass: odd,
    fingerprintFields: ['@title', odd],
  }
  const { accepted } = await events.ingest([event])
  const id = accepted[0].id
  const read = async () =>
    events.run(
      `query ($id: ID!) { event(id: $id) { title message tags properties eventClass fingerprintFields
        source { ref type name properties } sender { ref } occurrences { nodes { title message tags properties } } } }`,
      { id },
    )
  const { title, message, tags, properties } = event
  const raw = { title, message, tags, properties }
  expect(await read()).toEqual({ event: { ...event, occurrences: { nodes: [raw] } } })
  await events.ingest([event])
  expect(await read()).toEqual({ event: { ...event, occurrences: { nodes: [raw, raw] } } })
})
