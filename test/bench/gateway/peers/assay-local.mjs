// This gateway, its subgraphs in the same process.
import { readFileSync } from 'node:fs'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { STREAM, SUBGRAPHS } from './data.mjs'

const load = (path) => import(new URL(path, process.env.PRODUCT).href)
const { serve } = await load('gateway/serving/serve.js')
const { supergraphConfig } = await load('gateway/config.js')
const { localLink } = await load('gateway/links/local-link.js')
const { loadSupergraph } = await load('gateway/supergraph/supergraph.js')
const { createMetrics } = await load('gateway/observability/metrics.js')
const { createLogger } = await load('subgraphs/shared/logger.js')
const { Releasers } = await load('subgraphs/shared/releasers.js')

const log = createLogger('info')
const links = Object.entries(process.env.STREAM ? STREAM : SUBGRAPHS).map(
  ([name, { sdl, resolvers }]) =>
    localLink(name, buildSubgraphSchema({ typeDefs: parse(sdl), resolvers }), log),
)
const supergraph = loadSupergraph(readFileSync(process.env.SUPERGRAPH, 'utf8'), links, log)
const app = await serve(supergraphConfig(process.env), {
  supergraph,
  links: () => links,
  log,
  releasers: new Releasers(),
  metrics: createMetrics(),
})
console.log(`ready at ${app.url}/graphql`)
