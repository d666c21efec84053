import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { closeOrm, startOrm } from '../../../platform/database/orm.ts'
import { HorizonRepository } from '../../../platform/position/horizon.repository.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { GroupCommit } from '../../../subgraphs/events/ingestion/group-commit.ts'
import { validate } from '../../../subgraphs/events/ingestion/validate.ts'
import { WriterRepository } from '../../../subgraphs/events/ingestion/writer.repository.ts'
import { STORAGE } from '../../../subgraphs/events/storage.ts'
import { startNatsServer } from '../../support/system/nats-server.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import type { Running } from './product.ts'

const ROUNDS = 3
const SECONDS = 5
const CALLERS = 256
/** Events that are read from the stream and written in one transaction, as a full group commit. */
const BATCH = 400
const STREAM = 'BENCH'
const SUBJECT = 'bench.events'

/** Each waits until its event is acknowledged. */
interface Way {
  name: string
  /** Takes one event. */
  accept(text: string): Promise<unknown>
  /** Resolves when all that was accepted is in PostgreSQL. */
  stored(): Promise<void>
  /** Its processes besides this one and the database. */
  pids: readonly number[]
}

/**
 * Single events, acknowledged by the group commit of the product, or by JetStream, from which they are written to PostgreSQL
 * as by the product. Asks nothing of HTTP, which is the same for both.
 */
export async function benchJetStream({ databaseUrl, databasePid, assay }: Running): Promise<void> {
  print(
    `\n## Before PostgreSQL: ${CALLERS} callers with single events, ${ROUNDS} alternating rounds of ${SECONDS} s`,
  )
  await assay.stop()
  const orm = await startOrm({ url: databaseUrl, ...STORAGE })
  const log = createLogger('warn', 'bench')
  const writer = new WriterRepository(orm, new HorizonRepository(orm.em, 'events', log))
  const commit = new GroupCommit(async (batches) =>
    (await writer.write(batches)).map((value) => ({ status: 'fulfilled', value })),
  )
  const submit = (text: string) => commit.submit(batchOf(text))
  const stream = await startStream(submit)
  const ways: Way[] = [
    { name: 'group commit', accept: submit, async stored() {}, pids: [] },
    stream.way,
  ]
  const rounds = new Map<string, Measured[]>()
  for (let round = 0; round <= ROUNDS; round++)
    for (const way of round % 2 ? ways.toReversed() : ways) {
      const measured = await measure(way, databasePid)
      if (round > 0) rounds.set(way.name, [...(rounds.get(way.name) ?? []), measured])
    }
  for (const [name, samples] of rounds) {
    const median = (of: (sample: Measured) => number) => format(summarize(samples.map(of)).p50)
    print(
      `${name}: ${median((each) => each.rate)} acknowledged a second after p50 ${median((each) => each.p50)} · p99 ${median((each) => each.p99)} ms · in PostgreSQL ${median((each) => each.behind)} s after the last · ${median((each) => each.us)} µs of processor time each`,
    )
    print(`  rounds: ${samples.map(({ rate }) => format(rate)).join(' ')} a second`)
  }
  await stream.stop()
  await commit.stop()
  await closeOrm(orm)
}

interface Measured {
  rate: number
  p50: number
  p99: number
  /** Seconds. */
  behind: number
  us: number
}

async function measure(way: Way, databasePid: number): Promise<Measured> {
  const used = async () => {
    const { user, system } = process.cpuUsage()
    return (await processorMs([databasePid, ...way.pids])) + (user + system) / 1_000
  }
  const [before, begin] = [await used(), performance.now()]
  const took: number[] = []
  const caller = async () => {
    while (performance.now() - begin < SECONDS * 1_000) {
      const sent = performance.now()
      await way.accept(eventText(took.length))
      took.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const acknowledged = performance.now()
  await way.stored()
  const { p50, p99 } = summarize(took)
  return {
    rate: took.length / ((acknowledged - begin) / 1_000),
    behind: (performance.now() - acknowledged) / 1_000,
    us: (((await used()) - before) * 1_000) / took.length,
    p50,
    p99,
  }
}

const eventText = (at: number): string =>
  JSON.stringify({
    title: `event ${at % 1_000}`,
    severity: 'WARN',
    message: 'a message of usual length, which says what happened where and what to do next',
    source: { ref: 'host', type: 'host' },
    fingerprintFields: ['@title'],
  })

function batchOf(text: string) {
  const verdict = validate(JSON.parse(text), new Date())
  if (!('occurrence' in verdict)) throw new Error(`It is refused: ${JSON.stringify(verdict)}`)
  return { items: [{ index: 0, occurrence: verdict.occurrence }], errors: [], idempotency: null }
}

/**
 * A server with a stream in a file, and a consumer that writes what is in it to PostgreSQL. Versions before 2.10, as Debian
 * has, bring the file to disk every two minutes, and can do nothing else.
 */
async function startStream(
  submit: (text: string) => Promise<unknown>,
): Promise<{ way: Way; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-jetstream-'))
  const config = join(folder, 'nats.conf')
  await writeFile(config, `jetstream { store_dir: "${folder}" }\n`)
  const server = await startNatsServer(['-c', config])
  const client = await connect({ servers: server.url })
  const ask = async (subject: string, body: object) => {
    const answer = (await client.request(`$JS.API.${subject}`, JSON.stringify(body))).json<{
      error?: { description: string }
      stream_info?: unknown
    }>()
    if (answer.error) throw new Error(`${subject}: ${answer.error.description}`)
  }
  await ask(`STREAM.CREATE.${STREAM}`, { name: STREAM, subjects: [SUBJECT], storage: 'file' })
  const durable = { durable_name: 'writer', ack_policy: 'all', max_ack_pending: 4 * BATCH }
  await ask(`CONSUMER.DURABLE.CREATE.${STREAM}.writer`, { stream_name: STREAM, config: durable })
  const ended = new AbortController()
  let accepted = 0
  let written = 0
  const consuming = consume(client, submit, ended.signal, (count) => {
    written += count
  })
  return {
    way: {
      name: 'JetStream, then the same group commit',
      pids: [server.pid],
      async accept(text) {
        const answer = await client.request(SUBJECT, text)
        const { error } = answer.json<{ error?: { description: string } }>()
        if (error) throw new Error(error.description)
        accepted++
      },
      async stored() {
        while (written < accepted) await delay(5)
      },
    },
    async stop() {
      ended.abort()
      await consuming
      await client.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Reads and writes a batch at a time; the acknowledgement of its last event is that of all. */
async function consume(
  client: NatsConnection,
  submit: (text: string) => Promise<unknown>,
  signal: AbortSignal,
  onWritten: (count: number) => void,
): Promise<void> {
  while (!signal.aborted) {
    const inbox = `_INBOX.bench.${crypto.randomUUID()}`
    const messages = client.subscribe(inbox)
    const next = { batch: BATCH, expires: 100_000_000 }
    client.publish(`$JS.API.CONSUMER.MSG.NEXT.${STREAM}.writer`, JSON.stringify(next), {
      reply: inbox,
    })
    const writes: Promise<unknown>[] = []
    let last: string | undefined
    for await (const message of messages) {
      // A status, such as 404 or 408, has no subject of the stream to reply to.
      if (!message.reply) break
      last = message.reply
      writes.push(submit(message.string()))
      if (writes.length === BATCH) break
    }
    messages.unsubscribe()
    await Promise.all(writes)
    if (last) client.publish(last, '+ACK')
    onWritten(writes.length)
  }
}
