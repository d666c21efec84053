import type { GraphQLSchema } from 'graphql'
import { executable } from '../../subgraphs/shared/executable.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { SubgraphLink } from './link.ts'

/** Runs the subgraph's schema in this process. */
export const localLink = (name: string, schema: GraphQLSchema, log: Logger): SubgraphLink => ({
  name,
  ...executable(schema, log.child({ name })),
  async stop() {},
})
