import { withstands } from '../../support/attacks/target.ts'
import { testStalls } from '../../support/attacks/test-stalls.ts'
import { startFederatedGateway, supergraphOf } from '../../support/gateway/federated-gateway.ts'
import { overlapping } from '../../support/overlapping.ts'
import { startProbe } from './probe.ts'
import { send } from './send.ts'
import { EVALUATION_STALLS } from './stall-corpus-evaluation.ts'

describe('everything in one process', () => {
  testStalls(EVALUATION_STALLS)
})

/** Two branches on each level, and several subgraphs for each field. */
const branches = (levels: number): string =>
  levels === 0
    ? '{ f0 f3 }'
    : `{ f0 f3 next ${branches(levels - 1)} other ${branches(levels - 1)} }`

test('an operation over seven overlapping subgraphs', async () => {
  const subgraphs = Object.entries(overlapping(7)).map(([name, sdl]) => [
    name,
    { sdl, url: 'http://127.0.0.1:1/graphql' },
  ])
  const gateway = await startFederatedGateway(supergraphOf(Object.fromEntries(subgraphs)))
  const probe = await startProbe(gateway.url, gateway.process.pid)
  try {
    const query = `{ root ${branches(8)} }`
    const message = { path: '/graphql', body: JSON.stringify({ query }) }
    const { residentMib: idleMib } = await probe.seen()
    await withstands(
      { url: gateway.url, probe, idleMib },
      'seven overlapping subgraphs',
      async () => expect(await send(gateway.url, message)).toMatchObject({ status: 200 }),
    )
  } finally {
    probe.stop()
    await gateway.stop()
  }
})
