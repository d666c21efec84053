import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import { ANYONE } from '../../../platform/access/rules.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import { isObject, type Json } from '../../federation/index.ts'
import { createCalls, READ_ON, resultSchemaOf } from '../../mcp/call.ts'
import type { McpSettings } from '../../mcp/settings.ts'
import { createToolbox, type Tool } from '../../mcp/tools.ts'
import type { ClientOperations } from '../../operations/client-operations.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import { readJson } from '../body/read.ts'
import { HttpFailure, nothingAt } from '../failures.ts'
import type { ContextOf } from '../graphql/context.ts'
import { bodyLimit } from '../graphql/params.ts'
import { type HttpRequest, type HttpResponse, textResponse } from '../http-message.ts'
import type { Destination, FailureBody } from '../router.ts'
import { originOfRequest } from '../session-login.ts'
import {
  lifecycle,
  listed,
  type Reply,
  RPC,
  type RpcRequest,
  readMessage,
  refusal,
  success,
  unknownMethod,
} from './protocol.ts'

const PATH = '/mcp'
const METADATA = '/.well-known/oauth-protected-resource'

export interface McpOptions {
  settings: McpSettings
  /** Documents that may be tools. */
  documents: readonly string[]
  /** True if they are over a graph of others, whose fields take no permissions of ours. */
  isForeign: boolean
  operations: ClientOperations
  contextOf: ContextOf
  signIn: Pick<SignIn, 'isSecure'>
  /** The issuer of tokens; empty where there is none. */
  issuer: string
  /** True if every caller may do everything. */
  isOpen: boolean
  log: Logger
}

/**
 * The Model Context Protocol over streamable HTTP, without state and without streams: tools for assistants, each a
 * reviewed operation. The versions with and without `initialize` are answered side by side.
 */
export function mcpDestinations(options: McpOptions): Destination[] {
  const mcp = new McpEndpoint(options)
  const handle = (request: HttpRequest) => mcp.handle(request)
  const metadata = (request: HttpRequest) => mcp.metadata(request)
  const nothing = ({ url }: HttpRequest) => {
    throw nothingAt(url)
  }
  return [
    { path: PATH, endpoints: { POST: { handle, failureBody } } },
    ...[METADATA, `${METADATA}${PATH}`].map((path) => wellKnown(path, metadata)),
    // Clients look for an issuer here, too, and would take the page of the web client for a fault of the server.
    wellKnown('/.well-known/*', nothing),
    wellKnown(`${PATH}/.well-known/*`, nothing),
  ]
}

class McpEndpoint {
  readonly #toolbox: ReturnType<typeof createToolbox>
  readonly #call: ReturnType<typeof createCalls>

  constructor(private readonly options: McpOptions) {
    const { operations, settings, documents, log } = options
    this.#toolbox = createToolbox(documents, log)
    this.#call = createCalls(operations, settings, log)
  }

  async handle(request: HttpRequest): Promise<HttpResponse> {
    this.#requireSignIn(request)
    const { OPERATION_MAX_BYTES } = this.options.operations.rules.limits
    const body = await readJson(request, bodyLimit(request.caller, OPERATION_MAX_BYTES))
    const message = readMessage(body, request.headers)
    if (!('method' in message)) return textResponse({ body: undefined, ...message })
    const reply =
      lifecycle(message) ??
      (message.method === 'tools/list'
        ? listed(message, this.#toolsFor(request.caller))
        : message.method === 'tools/call'
          ? await this.#called(message, request)
          : unknownMethod(message))
    return textResponse({ body: undefined, ...reply })
  }

  /** @throws AppError NOT_FOUND where no issuer signs in */
  metadata(request: HttpRequest): HttpResponse {
    const { issuer } = this.options
    if (!issuer) throw nothingAt(request.url)
    return textResponse({
      status: 200,
      body: {
        resource: `${this.#resourceOf(request)}${PATH}`,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
      },
    })
  }

  #resourceOf(request: HttpRequest): string {
    return originOfRequest(request, this.options.signIn)
  }

  /** @throws AppError for callers without a sign-in; not for one that is asked too often, which would end a connection */
  #requireSignIn(request: HttpRequest): void {
    const { caller } = request
    const { isOpen, issuer } = this.options
    if (caller.refusal?.code === 'RATE_LIMITED') return
    try {
      requirePermission(caller, ANYONE)
      if (!isOpen && caller.user === null)
        throw new AppError('UNAUTHENTICATED', 'Sign in: send a token as Authorization: Bearer')
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'UNAUTHENTICATED' || !issuer) throw error
      const metadata = `${this.#resourceOf(request)}${METADATA}${PATH}`
      const headers = {
        'WWW-Authenticate': `Bearer realm="Assay", resource_metadata="${metadata}"`,
      }
      throw new HttpFailure(error.code, error.message, headers, { cause: error })
    }
  }

  async #called(message: RpcRequest, request: HttpRequest): Promise<Reply> {
    const { operations, settings, contextOf } = this.options
    const { id, params } = message
    const { name, arguments: given = {} } = params
    const tool = this.#toolbox(operations.schema).get(String(name))
    if (!tool || typeof name !== 'string')
      return refusal(200, RPC.params, `Unknown tool ${String(name).slice(0, 64)}`, { id })
    if (!isObject(given)) return refusal(200, RPC.params, 'arguments: expected an object', { id })
    if (tool.writes && !settings.writes) {
      const text = `${name} writes, which the operator has not allowed here (MCP_WRITE=on allows it). Do not try again.`
      return success(message, { content: [{ type: 'text', text }], isError: true })
    }
    const credentials = request.headers.credentials?.toString()
    return success(message, await this.#call(tool, given, contextOf(request), credentials))
  }

  /** @throws AppError for a caller whose sign-in was refused: an empty list would be remembered */
  #toolsFor(caller: Caller): object[] {
    const { operations, settings, isForeign } = this.options
    requirePermission(caller, ANYONE)
    return [...this.#toolbox(operations.schema).values()]
      .filter((tool) => settings.writes || !tool.writes)
      .filter(({ needs }) => isForeign || needs === ANYONE || caller.permissions.includes(needs))
      .map(shownTool)
  }
}

const wellKnown = (path: string, handle: (request: HttpRequest) => HttpResponse): Destination => ({
  path,
  endpoints: { GET: { handle, isUnlimited: true } },
})

/** As JSON-RPC; clients read no body of a refused sign-in, and that one is as everywhere. */
const failureBody: FailureBody = ({ code, message, extensions }, requestId) => {
  if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') return undefined
  const number = code === 'BAD_USER_INPUT' ? RPC.parse : RPC.failed
  return refusal(0, number, message, { data: { ...extensions, requestId } }).body
}

function shownTool(tool: Tool): Json {
  const { name, description, writes, inputSchema } = tool
  const readOn = { type: 'string', description: 'Where a cut value goes on, as its cut says.' }
  const properties = { ...(!writes && { [READ_ON]: readOn }), ...inputSchema.properties }
  return {
    ...{ name, description, inputSchema: { ...inputSchema, properties } },
    outputSchema: resultSchemaOf(tool),
    annotations: { readOnlyHint: !writes, destructiveHint: writes, openWorldHint: false },
  }
}
