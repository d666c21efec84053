import type { ExecutionResult, GraphQLError } from 'graphql'
import {
  copied,
  type DeferredPart,
  getOwn,
  isObject,
  type Json,
  type Payload,
  type Rest,
  setOwn,
} from '../../federation/index.ts'
import type { Headers } from '../http-message.ts'
import { plain, withRequestId } from './response-text.ts'
import { deferredEvents, deferredMultipart, type StreamFormat } from './stream-format.ts'

/** Writes one response that comes in several payloads, each as an object for JSON. */
interface IncrementalWriter {
  first(result: ExecutionResult, rest: Pick<Rest, 'announced'>): object
  next(payload: Payload): object
}

/** Format that a client names in `Accept`, and how it is sent. */
export interface Incremental {
  format: StreamFormat
  writer(requestId: string): IncrementalWriter
}

type ErrorsOf = (errors: readonly GraphQLError[] | undefined) => { errors?: object[] }

const errorsFor =
  (requestId: string): ErrorsOf =>
  (errors = []) =>
    errors.length > 0
      ? { errors: errors.map((error) => withRequestId(plain(error), requestId)) }
      : {}

/** The proposal of 2022-08-24: each part names its path and its label. */
class PathWriter implements IncrementalWriter {
  constructor(private readonly errorsOf: ErrorsOf) {}

  first({ data, errors }: ExecutionResult): object {
    return { data, ...this.errorsOf(errors), hasNext: true }
  }

  next({ delivered, hasNext }: Payload): object {
    const incremental = delivered.map(({ part: { label, path }, data, errors }) => ({
      ...(label !== undefined && { label }),
      ...{ path, data, ...this.errorsOf(errors) },
    }))
    return { incremental, hasNext }
  }
}

/** Version 0.2, as of graphql-js 17.0.0-alpha.9: parts are announced by an id, and nothing is sent twice. */
class PendingWriter implements IncrementalWriter {
  readonly #ids = new Map<DeferredPart, string>()
  /** All that the client has. */
  #data: unknown

  constructor(private readonly errorsOf: ErrorsOf) {}

  first({ data, errors }: ExecutionResult, { announced }: Pick<Rest, 'announced'>): object {
    this.#data = data
    return { data, ...this.errorsOf(errors), pending: this.#pending(announced), hasNext: true }
  }

  next({ delivered, announced, hasNext }: Payload): object {
    const incremental: object[] = []
    const completed: object[] = []
    for (const { part, data, errors } of delivered) {
      const id = this.#ids.get(part)
      if (data === null) completed.push({ id, ...this.errorsOf(errors) })
      else {
        const fresh = freshOf(at(this.#data, part.path), data)
        if (fresh.length === 0 && errors.length > 0) fresh.push({ data: {} })
        for (const [index, one] of fresh.entries())
          incremental.push({ id, ...one, ...(index === 0 && this.errorsOf(errors)) })
        completed.push({ id })
      }
    }
    return {
      ...(incremental.length > 0 && { incremental }),
      ...(announced.length > 0 && { pending: this.#pending(announced) }),
      ...{ completed, hasNext },
    }
  }

  #pending(parts: readonly DeferredPart[]): object[] {
    return parts.map((part) => {
      const id = String(this.#ids.size)
      this.#ids.set(part, id)
      const { label, path } = part
      return { id, path, ...(label !== undefined && { label }) }
    })
  }
}

const at = (data: unknown, path: DeferredPart['path']): unknown =>
  path.reduce((value, step) => (value as Record<string | number, unknown>)[step], data)

interface Fresh {
  subPath?: (string | number)[]
  data: Json
}

/** Finds what a part brings that its client does not have, by the objects that it is in, and adds it to them. */
function freshOf(known: unknown, part: unknown): Fresh[] {
  const found: Fresh[] = []
  const compare = (present: unknown, next: unknown, path: (string | number)[]): void => {
    if (Array.isArray(present) && Array.isArray(next))
      for (const [index, item] of next.entries()) compare(present[index], item, [...path, index])
    if (!isObject(present) || !isObject(next)) return
    const data: Json = {}
    for (const key of Object.keys(next)) {
      const value = next[key]
      if (Object.hasOwn(present, key)) compare(getOwn(present, key), value, [...path, key])
      else {
        setOwn(data, key, value)
        setOwn(present, key, copied(value))
      }
    }
    if (Object.keys(data).length > 0)
      found.push({ ...(path.length > 0 && { subPath: path }), data })
  }
  compare(known, part, [])
  return found
}

type Spec = 'deferSpec=20220824' | 'incrementalSpec=v0.2'

/** A client that names no version, as urql does, is given the older one, which all of these read. */
const OLDER: Spec = 'deferSpec=20220824'

const WRITERS: Readonly<Record<Spec, new (errorsOf: ErrorsOf) => IncrementalWriter>> = {
  'deferSpec=20220824': PathWriter,
  'incrementalSpec=v0.2': PendingWriter,
}

const RANGE = /^\s*(multipart\/mixed|text\/event-stream)\s*(;.*)?$/i

/**
 * Reads from `Accept` how a client takes parts of a response later. A media range that names another version, or a
 * protocol of subscriptions alone, is none.
 */
export function incrementalFor({ accept = '' }: Headers): Incremental | undefined {
  const ranges = accept.split(',').flatMap((range) => {
    const [, type = '', given = ''] = RANGE.exec(range) ?? []
    const parameters = given.toLowerCase().replaceAll(/[\s"]/g, '').split(';').filter(Boolean)
    if (!type || parameters.some((one) => /^q=0(\.0*)?$/.test(one))) return []
    const named = parameters.filter((one) => /^(defer|incremental|subscription)spec=/.test(one))
    const spec = (Object.keys(WRITERS) as Spec[]).find((one) => named.includes(one.toLowerCase()))
    if (!spec && named.length > 0) return []
    return [{ isMultipart: type.toLowerCase() === 'multipart/mixed', spec: spec ?? OLDER }]
  })
  const chosen = ranges.find(({ isMultipart }) => isMultipart) ?? ranges[0]
  if (!chosen) return undefined
  const { isMultipart, spec } = chosen
  const Writer = WRITERS[spec]
  return {
    format: isMultipart ? deferredMultipart(spec) : deferredEvents,
    writer: (requestId) => new Writer(errorsFor(requestId)),
  }
}
