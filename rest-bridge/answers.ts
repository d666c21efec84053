import { notFound } from '../formats/errors.ts'
import { timestamp } from '../formats/simple-result.ts'
import type { RestResponse } from './route.ts'

export const ok = (body: unknown): RestResponse => ({ status: 200, body })

export const NO_CONTENT: RestResponse = { status: 204, body: undefined }

/** Returns the object that an operation found. @param kind in words @throws AppError NOT_FOUND for nothing */
export function found<Found extends object>(
  object: Found | null,
  kind: string,
  id: string | undefined,
): Found {
  if (!object) throw notFound(kind, id ?? '')
  return object
}

const withTimes =
  (written: (iso: string) => string | number) =>
  (...names: readonly string[]) =>
  (data: object): object => {
    const times = Object.entries(data).filter(([name, time]) => names.includes(name) && time)
    return { ...data, ...Object.fromEntries(times.map(([name, time]) => [name, written(time)])) }
  }

/** Writes attributes of these names as timestamps of the contract. In the graph they are ISO 8601, or null. */
export const withTimestamps = withTimes(timestamp)

/** The same as the event interface has them: in milliseconds since 1970. */
export const withMilliseconds = withTimes(Date.parse)
