import { composeServices } from '@apollo/composition'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type ExecutionResult, type GraphQLSchema, parse } from 'graphql'
import type { SubgraphLink } from '../../../../gateway/links/link.ts'
import { localLink } from '../../../../gateway/links/local-link.ts'
import { LiveStreams } from '../../../../gateway/subscriptions/live-streams.ts'
import type { Response } from '../../../../gateway/subscriptions/subscription.ts'
import type { Json } from '../../../../gateway/supergraph/executor/own.ts'
import { SharedFetches } from '../../../../gateway/supergraph/executor/shared-fetches.ts'
import { type EventStream, prepareOperation } from '../../../../gateway/supergraph/operation.ts'
import { createPlanner } from '../../../../gateway/supergraph/planning/planner.ts'
import { loadSupergraph, type Supergraph } from '../../../../gateway/supergraph/supergraph.ts'
import type { Context } from '../../../../subgraphs/shared/caller.ts'
import { createLogger } from '../../../../subgraphs/shared/logger.ts'
import { MadeOnce } from '../../../../subgraphs/shared/made-once.ts'
import { apolloOver, plain } from './apollo.ts'
import { apolloEvents } from './apollo-events.ts'
import { CALM } from './calm.ts'
import { withChaos } from './chaos.ts'
import type { Subgraph, Suite } from './suite.ts'

/** One supergraph, with our executor and with Apollo's over the same links. */
export interface Graph {
  schema: GraphQLSchema
  supergraph: Supergraph
  links: readonly SubgraphLink[]
  ours(query: string, variables?: Json, context?: Context): Promise<ExecutionResult>
  apollos(query: string, variables?: Json, context?: Context): Promise<ExecutionResult>
  /** Ours, with the response shaped by another schema than the one that was planned for. */
  oursShapedBy(schema: GraphQLSchema): Graph['ours']
  /** What a subscription answers, event by event, until its stream ends. */
  ourEvents(query: string, variables?: Json): Promise<ExecutionResult[]>
  apolloEvents(query: string, variables?: Json): Promise<ExecutionResult[]>
  stop(): Promise<void>
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@requires",
  "@external", "@provides", "@shareable", "@override", "@inaccessible", "@interfaceObject", "@extends"])\n`

export const SILENT = createLogger('silent')

/** Composes a suite. @throws when its subgraphs do not compose */
export async function graphOf({
  name,
  subgraphs,
}: Pick<Suite, 'name' | 'subgraphs'>): Promise<Graph> {
  const entries = Object.entries(subgraphs)
  const { supergraphSdl, errors } = composeServices(
    entries.map(([service, { sdl }]) => ({
      name: service,
      url: `http://${service}.invalid/graphql`,
      typeDefs: parse(LINK + sdl),
    })),
  )
  if (!supergraphSdl) throw new AggregateError(errors ?? [], `${name}: ${errors?.join('\n')}`)
  const links = entries.map(([service, subgraph]) =>
    localLink(service, { schema: withChaos(schemaOf(subgraph)) }, SILENT),
  )
  return graphOver(supergraphSdl, links)
}

/** A supergraph that was composed already. */
export async function graphOver(
  supergraphSdl: string,
  links: readonly SubgraphLink[],
): Promise<Graph> {
  const supergraph = loadSupergraph(supergraphSdl, links, SILENT, {
    maxFieldsOnTheSpot: Number.POSITIVE_INFINITY,
  })
  const linkOf = (service: string): SubgraphLink => {
    const link = links.find((one) => one.name === service)
    if (!link) throw new Error(`No link leads to ${service}`)
    return link
  }
  const apollo = await apolloOver(supergraphSdl, linkOf)
  return {
    schema: supergraph.schema,
    supergraph,
    links,
    ours: async (query, variables = {}, context = CALM) => {
      const prepared = await supergraph.prepare(query)
      return 'run' in prepared
        ? plain(await prepared.run(variables, context))
        : { errors: prepared }
    },
    apollos: apollo.run,
    oursShapedBy(schema) {
      const { plan } = createPlanner(supergraphSdl)
      return async (query, variables = {}, context = CALM) => {
        const document = parse(query)
        const [operation] = document.definitions.filter((one) => one.kind === 'OperationDefinition')
        if (!operation) throw new Error('The document holds no operation')
        const parts = {
          named: { text: query },
          schema,
          document,
          operation,
          plan,
          link: linkOf,
          fetches: new SharedFetches(),
          streams: new LiveStreams(SILENT),
          responses: new MadeOnce<ExecutionResult, Promise<Response>>(),
          log: SILENT,
        }
        const prepared = await prepareOperation(parts)
        return plain(await prepared.run(variables, context))
      }
    },
    async ourEvents(query, variables = {}) {
      const prepared = await supergraph.prepare(query)
      if (!('run' in prepared)) return [{ errors: prepared }]
      const stream = await prepared.subscribe(variables, CALM)
      return 'deliverTo' in stream ? eventsOf(stream) : [stream]
    },
    apolloEvents: (query, variables = {}) =>
      apolloEvents(supergraphSdl, linkOf, query, variables, CALM),
    stop: () => apollo.stop(),
  }
}

/** All events until the stream ends. */
const eventsOf = (stream: EventStream): Promise<ExecutionResult[]> =>
  new Promise((resolve, reject) => {
    const events: ExecutionResult[] = []
    stream.deliverTo({
      event: ({ text }) => events.push(JSON.parse(text)),
      end: (error) => (error ? reject(error) : resolve(events)),
      waitingBytes: () => 0,
      tooSlow: () => reject(new Error('Nothing waits')),
    })
  })

const schemaOf = ({ sdl, resolvers }: Subgraph): GraphQLSchema =>
  buildSubgraphSchema({
    typeDefs: parse(LINK + sdl),
    resolvers: resolvers as NonNullable<
      Parameters<typeof buildSubgraphSchema>[0] extends infer M
        ? M extends { resolvers?: infer R }
          ? R
          : never
        : never
    >,
  })
