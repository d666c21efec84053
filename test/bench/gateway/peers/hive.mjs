// Hive Gateway's runtime.
import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'

const runtime = createGatewayRuntime({ supergraph: process.env.SUPERGRAPH, logging: false })
createServer(runtime).listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log(`ready at http://127.0.0.1:${process.env.PORT}/graphql`),
)
