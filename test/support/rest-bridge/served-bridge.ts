import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { ExecutionResult } from 'graphql'
import { parseYaml } from '../../../formats/yaml.ts'
import { unreadResponses } from '../../../gateway/http/connection-bounds.ts'
import { Pipeline } from '../../../gateway/http/pipeline.ts'
import { IngestionQueue } from '../../../gateway/http/rest/bulk.ts'
import type { IngestionLimits } from '../../../gateway/http/rest/ingestion-limits.ts'
import { restDestinations } from '../../../gateway/http/rest/rest.ts'
import { createMetrics } from '../../../gateway/observability/metrics.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { PERMISSIONS } from '../../../platform/access/permissions.ts'
import { ANYONE } from '../../../platform/access/rules.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import { routes } from '../../../rest-bridge/index.ts'

const DEFAULT_LIMITS: IngestionLimits = {
  bodyBytes: 32 * 2 ** 20,
  callEvents: 100_000,
  importBytes: 16 * 2 ** 20,
  queueEvents: 50_000,
  queueBytes: 128 * 2 ** 20,
  queueRequests: 1_000,
  perMinute: null,
}

/** The bridge on a port of its own, in front of a graph that a test plays. */
export interface ServedBridge {
  /** Such as http://127.0.0.1:4000/api. */
  base: string
  /** Operations that the graph was asked, in order. */
  asked: { operation: string; variables: Record<string, unknown> }[]
  server: Server
  /** Sends bytes as they are, and reads until the connection ends. */
  raw(bytes: string): Promise<string>
  stop(): Promise<void>
}

export interface Bridged {
  corsOrigins?: readonly string[]
  limits?: Partial<IngestionLimits>
  /** Refusal of a user's sign-in, whom the header `user` names. */
  refusalOf?(user: string | null): Caller['refusal']
}

export async function serveBridge(
  answer: (
    operation: string,
    variables: Record<string, unknown>,
  ) => ExecutionResult | Promise<ExecutionResult>,
  { corsOrigins = [], limits: given = {}, refusalOf = () => undefined }: Bridged = {},
): Promise<ServedBridge> {
  const asked: ServedBridge['asked'] = []
  const limits = { ...DEFAULT_LIMITS, ...given }
  const rows = routes.map((route) => ({
    route,
    async run(variables: Record<string, unknown>) {
      asked.push({ operation: route.operation, variables })
      return answer(route.operation, variables)
    },
    rules: [ANYONE] as const,
  }))
  const { listener } = new Pipeline({
    noteSent: unreadResponses(),
    destinations: restDestinations({
      root: '/api',
      routes: rows,
      limits,
      queue: new IngestionQueue(limits),
      networkOf: () => 'here',
      readYaml: async (text) => parseYaml(text, 'The request body'),
      receiverSecrets: {},
      findReceiver: async () => null,
      countRefused: () => {},
    }),
    signIn: {
      of({ headers }) {
        const user = headers.user ? String(headers.user) : null
        const refusal = refusalOf(user)
        return {
          requestId: 'request-1',
          user,
          permissions: PERMISSIONS,
          ...(refusal && { refusal }),
        }
      },
    },
    challenge: 'Basic',
    corsOrigins,
    limits: { requests: Number.POSITIVE_INFINITY, connections: Number.POSITIVE_INFINITY },
    metrics: createMetrics(),
    accessLog: 1,
    log: LOG,
  })
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}/api`,
    asked,
    server,
    async raw(bytes) {
      const socket = connect(port, '127.0.0.1')
      socket.write(bytes, 'latin1')
      let text = ''
      for await (const chunk of socket.setEncoding('latin1')) text += chunk
      return text
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A failure of the product is one of the test. */
const LOG: Logger = {
  child: () => LOG,
  isLevelEnabled: () => false,
  debug() {},
  info() {},
  error({ err }: { err?: unknown }) {
    if (err) throw err
  },
} as unknown as Logger
