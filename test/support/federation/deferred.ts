import type { ExecutionResult } from 'graphql'
import { copied, isObject, type Json } from '../../../gateway/federation/executor/own.ts'
import type { Prepared } from '../../../gateway/federation/supergraph/preparation.ts'
import { incrementalFor } from '../../../gateway/http/graphql/incremental.ts'
import type { Context } from '../../../platform/access/caller.ts'
import { CALM } from './calm.ts'

export type Spec = 'deferSpec=20220824' | 'incrementalSpec=v0.2'

type Steps = readonly (string | number)[]

/** A payload, as either format has it. */
export interface Sent extends ExecutionResult<Json> {
  hasNext: boolean
  pending?: { id: string; path: Steps; label?: string }[]
  incremental?: (ExecutionResult<Json> & {
    id?: string
    subPath?: Steps
    path?: Steps
    label?: string
  })[]
  completed?: { id: string; errors?: unknown[] }[]
}

/** The payloads of an operation, one by one. */
export async function* payloadsOf(
  operation: Prepared,
  spec: Spec,
  variables: Json = {},
  context: Context = CALM,
): AsyncGenerator<Sent> {
  if (!('run' in operation)) throw new AggregateError(operation, String(operation))
  const result = await operation.run(variables, context, true)
  const { rest } = result
  if (!rest) return yield { ...JSON.parse(result.text), hasNext: false }
  const writer = incrementalFor({ accept: `multipart/mixed;${spec}` })?.writer('r')
  if (!writer) throw new Error(`${spec} is not known`)
  const sent = (payload: object): Sent => JSON.parse(JSON.stringify(payload))
  yield sent(writer.first(result, rest))
  for await (const payload of rest.payloads()) yield sent(writer.next(payload))
}

/**
 * Merges payloads as a client does. It reads `incrementalSpec` strictly: parts are assigned to their object.
 * @throws for what breaks the rules of a format
 */
export async function mergedOf(payloads: AsyncIterable<Sent> | Iterable<Sent>) {
  let data: Json | null | undefined
  const errors: unknown[] = []
  const pending = new Map<string, Steps>()
  let [count, hasNext, hasFailed] = [0, true, false]
  for await (const sent of payloads) {
    if (!hasNext) throw new Error('A payload came after the last one')
    if (count++ === 0) data = copied(sent.data) as Json | null
    hasNext = sent.hasNext
    errors.push(...(sent.errors ?? []))
    for (const { id, path } of sent.pending ?? []) pending.set(id, path)
    for (const part of sent.incremental ?? []) {
      errors.push(...(part.errors ?? []))
      hasFailed ||= part.data === null
      const path = part.path ?? [...(pending.get(part.id ?? '') ?? []), ...(part.subPath ?? [])]
      const object = path.reduce<unknown>((at, step) => (at as Json)[step], data) as Json
      if (part.id === undefined) merge(object, part.data)
      else assign(object, part.data ?? {})
    }
    for (const { id, errors: its } of sent.completed ?? []) {
      hasFailed ||= its !== undefined
      errors.push(...(its ?? []))
      if (!pending.delete(id)) throw new Error(`The part ${id} does not wait`)
    }
  }
  if (!hasNext && pending.size > 0) throw new Error('Some did not come')
  return { data, errors, count, hasFailed, hasNext }
}

function assign(object: Json, data: Json): void {
  for (const key of Object.keys(data))
    if (Object.hasOwn(object, key)) throw new Error(`${key} came twice`)
  Object.assign(object, data)
}

function merge(target: unknown, source: unknown): void {
  if (Array.isArray(target) && Array.isArray(source))
    for (const [index, item] of source.entries()) merge(target[index], item)
  if (!isObject(target) || !isObject(source)) return
  for (const [key, value] of Object.entries(source))
    if (typeof target[key] === 'object' && target[key] !== null) merge(target[key], value)
    else target[key] = value
}
