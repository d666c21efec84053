import { parseExact } from '../../formats/json/json.ts'
import type { Command } from '../command.ts'
import { EXIT, usageError } from '../exit-codes.ts'
import type { ImportedEvent } from '../json.ts'
import { readJsonText } from '../text-file.ts'

/** Events of one request. Each has 32 KiB at most, so that a request stays below the limit of its body. */
const PART = 400

export const importEvents: Command = {
  name: 'import events',
  args: '<JSON file | ->',
  count: [1, 1],
  does: 'store events of another product with their ids, times, counts and statuses',
  details: [
    'The file holds a page of GET /v1/events, a list of events, or an event a line.',
    'A repetition changes nothing. It needs the permission events:import, which administrators have.',
  ],
  async run({ args: [file = ''], client, signal, terminal }) {
    const events = await eventsOf(file, signal)
    const counts = { CREATED: 0, MERGED: 0, UNCHANGED: 0, REFUSED: 0 }
    for (let start = 0; start < events.length; start += PART) {
      const body = { items: events.slice(start, start + PART) }
      const { items } = await client.rest<{ items: ImportedEvent[] }>('POST', '/v1/events/import', {
        body,
        isRepeatable: true,
      })
      for (const item of items) {
        const index = start + item.index
        counts[item.outcome]++
        terminal.json({ ...item, index })
        if (item.message) terminal.note(`event ${index}: ${item.message}`)
      }
    }
    const { CREATED, MERGED, UNCHANGED, REFUSED } = counts
    terminal.line(
      `${CREATED} created, ${MERGED} merged, ${UNCHANGED} unchanged, ${REFUSED} refused`,
    )
    return REFUSED === 0 ? EXIT.ok : EXIT.refused
  },
}

async function eventsOf(file: string, signal: AbortSignal): Promise<unknown[]> {
  const text = await readJsonText(file, signal)
  const whole = parsed(text)
  if (Array.isArray(whole)) return whole
  if (isPage(whole)) return whole.items
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at) => {
      const event = parsed(line)
      if (event === undefined) throw usageError(`${file}, line ${at + 1}: expected JSON`)
      return event
    })
}

/** Numbers keep their digits. */
function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

const isPage = (value: unknown): value is { items: unknown[] } =>
  typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items)
