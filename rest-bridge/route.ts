import type { AppError, ErrorCode } from '../formats/errors.ts'
import type { Answer, Area, Parameter } from './documents/description.ts'
import type { JsonSchema } from './documents/json-schema.ts'
import type { EventsParser } from './ingestion/events-parser.ts'
import type { Receiver } from './receivers/receiver.ts'

/** A request as routes see it: decoded, and with a parsed body where the route takes one. */
export interface RestRequest {
  /** From the root of the server, tidied, without the query. */
  path: string
  params: Readonly<Record<string, string>>
  /** Query parameters; the last value that is not empty where one is repeated. */
  query: Readonly<Record<string, string | undefined>>
  /** Every value of each parameter, in the order of the request. */
  repeated: Readonly<Record<string, readonly string[]>>
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: unknown
  /** SHA-256 of the bytes that `body` was parsed from, inflated; only where a route works on it. */
  bodyDigest?: string
}

/** Parts of a request that may shape its response: callers who share a run and the address share the answer, too. */
export type Address = Pick<RestRequest, 'path' | 'params' | 'query' | 'repeated'>

export interface RestResponse {
  status: number
  /** Sent as JSON, unless `mediaType` says what kind of text it is. */
  body: unknown
  /** JSON in pieces, in place of a body that may be large. */
  pieces?: Iterable<string>
  mediaType?: string
  /** A file of that media type, in place of a body. */
  bytes?: Buffer
  headers?: Readonly<Record<string, string>>
}

/** A documented REST path: the GraphQL operation behind it, and the way there and back. */
export interface Route<Data = unknown> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below the API root path. */
  path: `/${string}`
  summary: string
  /** Area of the explorer that shows it. */
  area: Area
  /** Everything in its path, and what it reads of query and headers. */
  parameters: readonly Parameter[]
  /** Refuses query parameters besides those of `parameters`; without it they are ignored. */
  strictQuery?: true
  /** GraphQL; parsed, validated and planned once at start. */
  operation: string
  /** Largest JSON body in bytes, inflated, or the setting that has them; without it a body is ignored. */
  bodyLimit?: number | 'IMPORT_BODY_BYTES'
  /** Numbers of the body keep their digits. */
  exactNumbers?: true
  /** The body may also be YAML. */
  yaml?: true
  /** The body is handed over as text, whatever its type. */
  textBody?: true
  /** The body may be a list of very many items. */
  bulk?: Bulk
  /** Requests of a sender in its own words, which are stored as events. */
  receiver?: Receiver | 'STORED'
  /** Schema of that body, with an example that works as it stands. */
  body?: { schema: JsonSchema; example: unknown }
  /** @throws AppError BAD_USER_INPUT that names the parameter */
  variables(request: RestRequest): Record<string, unknown>
  /** @throws AppError where the data means a failure, such as NOT_FOUND for null */
  respond(data: Data, request: Address): RestResponse
  /** Error codes besides those of every row with its input. */
  errors?: readonly ErrorCode[]
  /** Success, by status. */
  answers: Readonly<Record<number, Answer>>
  /** Requests that the product sends later, as OpenAPI 3.1 writes them. */
  callbacks?: Readonly<Record<string, unknown>>
  /** The body of a failure, where it is not the common one. */
  failure?: { body(message: string): unknown; schema: JsonSchema }
  /** Translates a failure in the graph that means something else here. @param data that came with it */
  failureOf?(failure: AppError, request: Address, data: Data | null | undefined): AppError
}

/** Handling of very many items by a route: the operator limits and counts them, and its operation runs in parts. */
export interface Bulk {
  parser(maxItems: number): EventsParser
  /** The largest request that shares an operation with other requests of equal callers. */
  mergedBytes: number
}

type Row<Data> = Omit<Route<Data>, 'area' | 'parameters' | 'variables'> & Partial<Route<Data>>

/** Makes rows of an area. Each is typed by the data of its operation; the table holds rows of many types. */
export const routesOf =
  (area: Area) =>
  <Data>(row: Row<Data>): Route =>
    ({ area, parameters: [], variables: () => ({}), ...row }) as Route
