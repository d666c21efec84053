import type { ErrorCode } from '../schema/errors.ts'

/** A request as routes see it: decoded, and with a parsed body where the route takes one. */
export interface RestRequest {
  /** From the root of the server, tidied, without the query. */
  path: string
  params: Readonly<Record<string, string>>
  /** Of a repeated parameter, the last value. */
  query: Readonly<Record<string, string | undefined>>
  /** Every value of each parameter, in the order of the request. */
  repeated: Readonly<Record<string, readonly string[]>>
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: unknown
}

export interface RestResponse {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

/** A documented REST path: the GraphQL operation behind it, and the way there and back. */
export interface Route<Data = unknown> {
  method: 'get' | 'post' | 'put' | 'delete'
  /** Below the API root path. */
  path: `/${string}`
  summary: string
  /** GraphQL; parsed, validated and planned once at start. */
  operation: string
  /** The route reads a JSON body of at most so many bytes, inflated; without it a body is ignored. */
  bodyLimit?: number
  /** @throws AppError BAD_USER_INPUT that names the parameter */
  variables(request: RestRequest): Record<string, unknown>
  /** @throws AppError where the data means a failure, such as NOT_FOUND for null */
  respond(data: Data, request: RestRequest): RestResponse
  /** What it may answer besides success. */
  errors: readonly ErrorCode[]
  /** The body of a failure, where it is not the common one. */
  failure?(message: string): unknown
}

/** Types a row by the data of its operation; the table holds rows of many types. */
export const route = <Data>(row: Route<Data>): Route => row as Route
