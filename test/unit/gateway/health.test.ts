import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { SubgraphLink } from '../../../gateway/federation/links/link.ts'
import { readyz } from '../../../gateway/serving/health.ts'

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
  const http = createServer(
    express().get(
      '/',
      readyz(
        () => links,
        () => isStopping,
        probes,
      ),
    ),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  const answers = await Promise.all(
    Array.from({ length: times }, async () => {
      const response = await fetch(url)
      return { status: response.status, body: await response.json() }
    }),
  )
  http.close()
  http.closeAllConnections()
  return answers[0]
}

test.each([
  ['all are up', [up('a'), up('b')], false, 200, 'ok', { a: 'up', b: 'up' }],
  ['one is down', [up('a'), down('b')], false, 200, 'ok', { a: 'up', b: 'down' }],
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
