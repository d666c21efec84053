import { notFound } from '../schema/errors.ts'
import { timestamp } from '../schema/timestamp.ts'
import type { RestResponse } from './route.ts'

export const ok = (body: unknown): RestResponse => ({ status: 200, body })

export const NO_CONTENT: RestResponse = { status: 204, body: undefined }

/** What an operation found. @param kind in words @throws AppError NOT_FOUND for nothing */
export function found<Found extends object>(
  object: Found | null,
  kind: string,
  id: string | undefined,
): Found {
  if (!object) throw notFound(kind, id ?? '')
  return object
}

/** Writes attributes of these names as timestamps of the contract. In the graph they are ISO 8601, or null. */
export const withTimestamps =
  (...names: readonly string[]) =>
  <Data extends object>(data: Data): Data => {
    const times = Object.entries(data).filter(([name, time]) => names.includes(name) && time)
    return { ...data, ...Object.fromEntries(times.map(([name, time]) => [name, timestamp(time)])) }
  }
