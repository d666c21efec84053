import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { jest } from '@jest/globals'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { pino } from 'pino'
import type { SubgraphLink } from '../../../gateway/federation/index.ts'
import { readyz } from '../../../gateway/http/health.ts'
import { HttpRequest } from '../../../gateway/http/http-message.ts'

let asked = 0
const link = (name: string, execute: () => Promise<ExecutionResult>): SubgraphLink => ({
  name,
  execute() {
    asked++
    return execute()
  },
  subscribe: () => Promise.reject(new Error('nobody subscribes')),
  stop: async () => {},
})
const up = (name: string) => link(name, async () => ({ data: {} }))
const down = (name: string) =>
  link(name, () => Promise.reject(new Error('http://10.0.0.1 is away')))

const refusing = (name: string, isUp: boolean): SubgraphLink => ({
  ...link(name, async () => ({ errors: [new GraphQLError('who are you?')] })),
  isUp: async () => isUp,
})

async function probe(
  links: SubgraphLink[],
  isStopping = false,
  times = 1,
  probes: Record<string, string> = {},
) {
  const answer = readyz(
    () => links,
    () => isStopping,
    pino({ level: 'silent' }),
    probes,
  )
  const answers = await Promise.all(
    Array.from({ length: times }, async () => {
      const response = await answer(new HttpRequest(new IncomingMessage(new Socket())), () => ({}))
      if (!('text' in response)) throw new Error('It is no text')
      return { status: response.status, body: JSON.parse(String(response.text)) }
    }),
  )
  return answers[0]
}

test.each([
  ['all are up', [up('a'), up('b')], false, 200, 'ok', { a: 'up', b: 'up' }],
  ['one is down', [up('a'), down('b')], false, 200, 'degraded', { a: 'up', b: 'down' }],
  ['all are down', [down('a'), down('b')], false, 503, 'unavailable', { a: 'down', b: 'down' }],
  ['it stops', [up('a')], true, 503, 'stopping', { a: 'up' }],
])('when %s', async (_when, links, isStopping, code, status, subgraphs) => {
  expect(await probe(links, isStopping)).toEqual({ status: code, body: { status, subgraphs } })
})

test('a server that refuses is up, unless it is one of ours', async () => {
  const links = [refusing('a', true), refusing('b', false), refusing('ours', true)]
  expect(await probe(links, false, 1, { ours: '{ component(id: "x") { id } }' })).toMatchObject({
    body: { subgraphs: { a: 'up', b: 'down', ours: 'down' } },
  })
})

test('probes that come at once ask the subgraphs once', async () => {
  asked = 0
  await probe([up('a')], false, 20)
  expect(asked).toBe(1)
})

test('the log has a change of readiness once, with the reason of each subgraph that is down', async () => {
  const lines: object[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  let errors: GraphQLError[] | undefined
  const links = [link('a', async () => ({ errors })), down('b')]
  const answer = readyz(
    () => links,
    () => false,
    log,
  )
  jest.useFakeTimers({ doNotFake: ['setTimeout'] })
  const probed = async () => {
    jest.advanceTimersByTime(1_001)
    await answer(new HttpRequest(new IncomingMessage(new Socket())), () => ({}))
  }
  for (const now of [undefined, [new GraphQLError('The database is away')], undefined]) {
    errors = now
    for (let times = 0; times < 3; times++) await probed()
  }
  links.pop()
  await probed()
  jest.useRealTimers()
  const b = 'http://10.0.0.1 is away'
  const msg = 'Readiness changed'
  expect(lines).toMatchObject([
    { level: 40, status: 'degraded', down: { b }, msg },
    { level: 40, status: 'unavailable', down: { a: 'The database is away', b }, msg },
    { level: 40, status: 'degraded', down: { b }, msg },
    { level: 30, status: 'ok', msg },
  ])
})
