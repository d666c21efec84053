import { composeServices } from '@apollo/composition'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type ExecutionResult, type GraphQLSchema, parse, visit } from 'graphql'
import { MadeOnce } from '../../../formats/graphql/event-key.ts'
import { exactJson } from '../../../gateway/exact-json.ts'
import {
  type ApolloFixes,
  applyApolloFixes,
} from '../../../gateway/federation/apollo-fixes/apply.ts'
import type { Json } from '../../../gateway/federation/executor/own.ts'
import { Changes } from '../../../gateway/federation/executor/shared-runs.ts'
import type { SubgraphLink } from '../../../gateway/federation/links/link.ts'
import { prepareOperation } from '../../../gateway/federation/operation/operation.ts'
import type { EventStream } from '../../../gateway/federation/operation/prepared-operation.ts'
import { createPlanner } from '../../../gateway/federation/planning/planner.ts'
import { LiveStreams } from '../../../gateway/federation/subscriptions/live-streams.ts'
import type { Response } from '../../../gateway/federation/subscriptions/subscription.ts'
import {
  loadSupergraph,
  type Supergraph,
} from '../../../gateway/federation/supergraph/supergraph.ts'
import { localLink } from '../../../gateway/local-link.ts'
import { tooManyPaths } from '../../../gateway/operations/operation-limits.ts'
import { type Context, contextKey } from '../../../platform/access/caller.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { apolloOver } from './apollo.ts'
import { apolloEvents } from './apollo-events.ts'
import { sometimesAsText } from './as-text.ts'
import { CALM } from './calm.ts'
import { withChaos } from './chaos.ts'
import type { Subgraph, Suite } from './suite.ts'

/** One supergraph, with our executor and with Apollo's over the same links. */
export interface Graph {
  sdl: string
  schema: GraphQLSchema
  supergraph: Supergraph
  /** Names of fields that require others. */
  requiring: ReadonlySet<string>
  links: readonly SubgraphLink[]
  ours(query: string, variables?: Json, context?: Context): Promise<ExecutionResult>
  apollos(query: string, variables?: Json, context?: Context): Promise<ExecutionResult>
  /** Ours, with the response shaped by another schema than the one that was planned for. */
  oursShapedBy(schema: GraphQLSchema): Graph['ours']
  /** Responses of a subscription, event by event, until its stream ends. */
  ourEvents(query: string, variables?: Json): Promise<ExecutionResult[]>
  apolloEvents(query: string, variables?: Json): Promise<ExecutionResult[]>
  stop(): Promise<void>
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@requires",
  "@external", "@provides", "@shareable", "@override", "@inaccessible", "@interfaceObject", "@extends"])\n`

/** A subgraph that may use all directives of federation. */
export const linked = (sdl: string) => parse(LINK + sdl)

export const SILENT = createLogger('silent')

/** Composes a suite. @throws when its subgraphs do not compose */
export async function graphOf(
  { name, subgraphs }: Pick<Suite, 'name' | 'subgraphs'>,
  fixes = applyApolloFixes(),
): Promise<Graph> {
  const entries = Object.entries(subgraphs)
  const { supergraphSdl, errors } = composeServices(
    entries.map(([service, { sdl }]) => ({
      name: service,
      url: `http://${service}.invalid/graphql`,
      typeDefs: linked(sdl),
    })),
  )
  if (!supergraphSdl) throw new AggregateError(errors ?? [], `${name}: ${errors?.join('\n')}`)
  const links = entries.map(([service, subgraph]) =>
    localLink(service, { schema: withChaos(schemaOf(subgraph)) }, SILENT),
  )
  return graphOver(supergraphSdl, links, fixes)
}

/** A supergraph that was composed already. */
export async function graphOver(
  supergraphSdl: string,
  given: readonly SubgraphLink[],
  /** None for the product's own. */
  fixes?: ApolloFixes,
): Promise<Graph> {
  const links = given.map(sometimesAsText)
  const options = { json: exactJson, contextKey, tooManyPaths, ...(fixes && { fixes }) }
  const supergraph = loadSupergraph(supergraphSdl, links, SILENT, options)
  const linkOf = (service: string): SubgraphLink => {
    const link = links.find((one) => one.name === service)
    if (!link) throw new Error(`No link leads to ${service}`)
    return link
  }
  const apollo = await apolloOver(supergraphSdl, linkOf)
  return {
    sdl: supergraphSdl,
    schema: supergraph.schema,
    supergraph,
    requiring: requiringIn(supergraphSdl),
    links,
    ours: async (query, variables = {}, context = CALM) => {
      const prepared = await supergraph.prepare(query)
      return 'run' in prepared
        ? JSON.parse((await prepared.run(variables, context)).text)
        : { errors: prepared }
    },
    apollos: apollo.run,
    oursShapedBy(schema) {
      const { plan } = createPlanner(supergraphSdl, options)
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
          changes: new Changes(),
          streams: new LiveStreams(SILENT),
          responses: new MadeOnce<ExecutionResult, Promise<Response>>(),
          log: SILENT,
          contextKey,
        }
        const prepared = await prepareOperation(parts)
        return JSON.parse((await prepared.run(variables, context)).text)
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
    async stop() {
      fixes?.undo()
      await apollo.stop()
    },
  }
}

function requiringIn(supergraphSdl: string): ReadonlySet<string> {
  const names = new Set<string>()
  visit(parse(supergraphSdl), {
    FieldDefinition({ name, directives = [] }) {
      const given = directives.flatMap((one) => one.arguments ?? [])
      if (given.some((argument) => argument.name.value === 'requires')) names.add(name.value)
    },
  })
  return names
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

export const schemaOf = ({ sdl, resolvers }: Subgraph): GraphQLSchema =>
  buildSubgraphSchema({
    typeDefs: linked(sdl),
    resolvers: resolvers as NonNullable<
      Parameters<typeof buildSubgraphSchema>[0] extends infer M
        ? M extends { resolvers?: infer R }
          ? R
          : never
        : never
    >,
  })
