import { readFileSync } from 'node:fs'
import { jest } from '@jest/globals'
import { loadSupergraph } from '../../../gateway/federation/supergraph/supergraph.ts'
import { prepareRoutes } from '../../../gateway/http/rest/prepared-routes.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { routes } from '../../../rest-bridge/index.ts'

const SUPERGRAPH = new URL('../../../schema/supergraph.graphql', import.meta.url)
const supergraph = loadSupergraph(readFileSync(SUPERGRAPH, 'utf8'), [], createLogger('error'))

afterEach(() => jest.restoreAllMocks())

test('the operation of each route fits our supergraph', async () => {
  for (const route of prepareRoutes(routes, supergraph))
    expect(await route.prepare()).toHaveProperty('run')
})

test('a start prepares no operation; a route is prepared once', async () => {
  const prepare = jest.spyOn(supergraph, 'prepare')
  const [route] = prepareRoutes(routes, supergraph)
  expect(prepare).not.toHaveBeenCalled()
  const made = await route?.prepare()
  expect(await route?.prepare()).toBe(made)
  expect(prepare).toHaveBeenCalledTimes(1)
})

test('a route that could not be prepared is prepared by its next request', async () => {
  jest.spyOn(supergraph, 'prepare').mockResolvedValueOnce([])
  const [route] = prepareRoutes(routes.slice(0, 1), supergraph)
  await expect(route?.prepare()).rejects.toThrow('A REST route does not fit')
  expect(await route?.prepare()).toHaveProperty('run')
})

test('a route runs its operation for each request, also one that keeps state', async () => {
  class Counting {
    #runs = 0
    async run() {
      this.#runs += 1
      return { data: { runs: this.#runs } }
    }
  }
  const counting = new Counting()
  // Only what a route calls.
  const prepare = (async () => counting) as unknown as typeof supergraph.prepare
  const [route] = prepareRoutes(routes.slice(0, 1), { prepare })
  const runs = [await route?.run({}, {} as never), await route?.run({}, {} as never)]
  expect(runs.map((result) => result?.data)).toEqual([{ runs: 1 }, { runs: 2 }])
})
