// This gateway, its subgraphs in the same process. It is built before it runs.
import { readFileSync } from 'node:fs'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { supergraphConfig } from '../../../../gateway/config.ts'
import { loadSupergraph } from '../../../../gateway/federation/index.ts'
import { serveHttp } from '../../../../gateway/http/index.ts'
import { localLink } from '../../../../gateway/local-link.ts'
import { createMetrics } from '../../../../gateway/observability/metrics.ts'
import { contextKey } from '../../../../platform/access/caller.ts'
import { OwnTurns } from '../../../../platform/load/load.ts'
import { createLogger } from '../../../../platform/process/logger.ts'
import { Releasers } from '../../../../platform/process/releasers.ts'
import { withEntities } from '../../../../platform/subgraph/compiled/entities.ts'
import { STREAM, SUBGRAPHS } from './data.mjs'

const log = createLogger('info')
const links = Object.entries(process.env.STREAM ? STREAM : SUBGRAPHS).map(
  ([name, { sdl, resolvers }]) =>
    localLink(
      name,
      { schema: withEntities(buildSubgraphSchema({ typeDefs: parse(sdl), resolvers })) },
      log,
    ),
)
const supergraph = loadSupergraph(readFileSync(process.env.SUPERGRAPH, 'utf8'), links, log, {
  turns: new OwnTurns(),
  contextKey,
})
const app = await serveHttp(supergraphConfig(process.env), {
  supergraph,
  links: () => links,
  log,
  releasers: new Releasers(),
  metrics: createMetrics(),
})
console.log(`ready at ${app.url}/graphql`)
