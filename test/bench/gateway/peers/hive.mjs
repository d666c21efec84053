// Hive Gateway's runtime.
import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'

// The installation with the runtime in Rust has a package more.
const rust = await import('@graphql-hive/router-runtime').catch(() => ({}))
const fromClientToSubgraphs = ({ request }) => ({
  authorization: request.headers.get('authorization') ?? undefined,
})
const runtime = createGatewayRuntime({
  supergraph: process.env.SUPERGRAPH,
  logging: false,
  ...rust,
  ...(process.env.FORWARD === '1' && { propagateHeaders: { fromClientToSubgraphs } }),
})
createServer(runtime).listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log(`ready at http://127.0.0.1:${process.env.PORT}/graphql`),
)
