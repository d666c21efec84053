import { setTimeout as delay } from 'node:timers/promises'
import { ADMIN, ADMIN_PASSWORD, basic, type Client } from '../e2e/users.ts'
import { eventually } from '../eventually.ts'
import { follow } from './occurrences.ts'

const SIGN_IN = basic(ADMIN, ADMIN_PASSWORD)
const NEW_EVENTS = 20
/** The name of loan-schedule, and the title of the events that its executions become. */
const EXECUTED = 'A loan over 12 months is repaid to the cent'
/** Announcements of old events would come within it, as watchers look by themselves every two seconds. */
const SILENCE_MS = 3_000

/** Asserts that new events are announced and found; old ones are not announced again. */
export async function goesOn(client: Client): Promise<void> {
  const title = `after ${Date.now()}`
  const live = await follow(client.url, SIGN_IN)
  await delay(SILENCE_MS)
  for (let n = 0; n < NEW_EVENTS; n++)
    await client.rest('POST', '/v1/events', SIGN_IN, { title, fingerprintFields: ['@title'] })
  // An execution that waited at the time of the backup goes on, and its end is an event of now.
  const announced = () => live.titles.filter((each) => each !== EXECUTED)
  await eventually(async () => expect(announced().length).toBeGreaterThanOrEqual(NEW_EVENTS))
  await delay(SILENCE_MS)
  expect(announced()).toEqual(Array.from({ length: NEW_EVENTS }, () => title))
  await live.stop()
  const found = await client.run(
    'query ($query: String) { events(query: $query) { nodes { title timesSeen } } }',
    SIGN_IN,
    { query: `title:"${title}"` },
  )
  expect(found.events.nodes).toEqual([{ title, timesSeen: NEW_EVENTS }])
}
