import { randomUUID } from 'node:crypto'
import { parseExact } from '../../formats/json/json.ts'
import { type Command, type Context, limitOf, listOf, type Option, textOf } from '../command.ts'
import { EXIT, usageError } from '../exit-codes.ts'
import type { Event, Sent, Settled } from '../json.ts'
import { resumed } from '../resumed.ts'
import { oneLine } from '../terminal.ts'
import { readJsonText } from '../text-file.ts'

const lineOf = ({ id, title, severity, status, timesSeen, message }: Event): string =>
  `${id}  ${severity} ${status} ×${timesSeen}  ${oneLine(title)}${message ? `: ${oneLine(message)}` : ''}`

const ONE_EVENT: Readonly<Record<string, Option>> = {
  title: { value: 'TEXT', does: 'title of the event; needed without a file' },
  message: { value: 'TEXT', does: 'message' },
  severity: { value: 'WORD', does: 'severity: INFO, WARN, ERROR, CRITICAL or another word' },
  status: { value: 'WORD', does: 'status: OPEN, CLOSED, ACKNOWLEDGED, OK or another word' },
  source: { value: 'TYPE/REF', does: 'where it comes from, such as host/db1' },
  tag: { value: 'TAG', multiple: true, does: 'tag' },
}

/** Its body says why each event was refused, as where some were accepted. */
const NONE_ACCEPTED = 400

export const sendEvents: Command = {
  name: 'events send',
  args: '[JSON file]',
  count: [0, 1],
  does: 'send an event, or those of a JSON file; - reads standard input',
  options: ONE_EVENT,
  details: ['Options describe one event and cannot be used with a file.'],
  async run(context) {
    const { client, terminal } = context
    const body = await eventsOf(context)
    const { result } = await client.rest<{ result: Sent }>('POST', '/v1/events', {
      body,
      answerStatus: NONE_ACCEPTED,
      // With it, events whose answer was lost are counted once.
      headers: { 'idempotency-key': randomUUID() },
      isRepeatable: true,
    })
    terminal.json(result)
    terminal.line(`${result.sent} sent`)
    const { errors = [] } = result
    const isList = Array.isArray(body) && body.length > 0
    for (const { index, message } of errors)
      terminal.note(isList ? `event ${index}: ${message}` : message)
    return errors.length === 0 ? EXIT.ok : EXIT.refused
  },
}

async function eventsOf({ args: [file], options, signal }: Context): Promise<unknown> {
  if (file !== undefined) {
    const given = Object.keys(ONE_EVENT).filter((name) => options[name] !== undefined)
    if (given.length > 0)
      throw usageError(
        `Options describe one event and cannot be used with a file: leave out ${given.map((name) => `--${name}`).join(', ')}, or ${file}`,
      )
    const text = await readJsonText(file, signal)
    try {
      return parseExact(text)
    } catch (error) {
      throw usageError(`${file} is no JSON: ${error instanceof Error ? error.message : error}`)
    }
  }
  const title = textOf(options, 'title')
  if (title === undefined) throw usageError('Expected --title TEXT, a JSON file, or -')
  const [type, ref] = textOf(options, 'source')?.split(/\/(.*)/s) ?? []
  if (type !== undefined && !(type && ref))
    throw usageError(
      `--source is ${textOf(options, 'source')}: expected TYPE/REF, such as host/db1`,
    )
  const tags = listOf(options, 'tag')
  const [message, severity, status] = ['message', 'severity', 'status'].map((name) =>
    textOf(options, name),
  )
  return {
    title,
    message,
    severity,
    status,
    ...(type && { source: { type, ref } }),
    ...(tags.length > 0 && { tags }),
  }
}

const QUERY: Readonly<Record<string, Option>> = {
  query: {
    short: 'q',
    value: 'QUERY',
    does: 'which, such as severity:CRITICAL AND -status:CLOSED',
  },
}

export const listEvents: Command = {
  name: 'events list',
  args: '',
  count: [0, 0],
  does: 'list events, newest first by when they were first seen',
  options: { ...QUERY, limit: { value: 'NUMBER', does: 'at most, 1 to 1000; 50 if absent' } },
  async run({ client, options, terminal }) {
    const query = { q: textOf(options, 'query'), limit: limitOf(options) }
    const { items } = await client.rest<{ items: Event[] }>('GET', '/v1/events', { query })
    for (const event of items) {
      terminal.json(event)
      terminal.line(lineOf(event))
    }
  },
}

interface Tailed {
  eventReceived: { cursor: string; event: Event }
}

export const tailEvents: Command = {
  name: 'events tail',
  args: '',
  count: [0, 0],
  does: 'show events as they are received, until Ctrl-C',
  options: QUERY,
  details: ['A lost connection goes on behind the last event that was shown.'],
  async run({ client, options, signal, terminal }) {
    const query = textOf(options, 'query') ?? null
    // Known before the first event, so that a loss before it misses none.
    const { eventCursor: place } = await client.graphql<{ eventCursor: string }>('place', {})
    const received = resumed({
      open: (after, onOpen) => client.subscribe<Tailed>('tail', { query, after }, onOpen),
      cursorOf: ({ eventReceived }) => eventReceived.cursor,
      first: place,
      onLost: (reason) => terminal.note(`${reason}. Trying again`),
      signal,
    })
    for await (const { eventReceived } of received) {
      terminal.json(eventReceived.event)
      terminal.line(lineOf(eventReceived.event))
    }
  },
}

const settle = (name: string, status: string, does: string): Command => ({
  name,
  args: '<event id…>',
  count: [1, 1_000],
  does,
  options: { comment: { value: 'TEXT', does: 'why, for the history of the event' } },
  async run({ args: ids, client, options, terminal }) {
    const body = { ids, status, comment: textOf(options, 'comment') ?? null }
    const { items } = await client.rest<Settled>('POST', '/v1/events/status', { body })
    terminal.json({ items })
    for (const { id, outcome } of items) terminal.line(`${id}  ${outcome}`)
    return items.some(({ outcome }) => outcome === 'NOT_FOUND') ? EXIT.refused : EXIT.ok
  },
})

export const ackEvents = settle('events ack', 'ACKNOWLEDGED', 'acknowledge events')
export const closeEvents = settle('events close', 'CLOSED', 'close events')
