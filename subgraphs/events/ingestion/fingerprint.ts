import { hash } from 'node:crypto'
import { ExactNumber } from '../../../formats/json/exact-number.ts'
import type { Occurrence, Scalar } from './occurrence.ts'

export const DEFAULT_FINGERPRINT_FIELDS: readonly string[] = ['@title']

/** Fields of which a fingerprint can be formed. Severity and status are the normalized words. */
export type FingerprintInput = Pick<
  Occurrence,
  'title' | 'message' | 'severity' | 'status' | 'source' | 'properties' | 'eventClass'
>

/** Result of resolving the listed names: each distinct name once, in order of name. */
export interface ResolvedFields {
  /** Names that resolved to a scalar: they are part of the fingerprint. */
  used: [name: string, value: Scalar][]
  /** Names that resolved to nothing, or to no scalar: they have no effect. */
  ignored: string[]
}

/**
 * The identity of an event: SHA-256, in hexadecimal, of the source's reference and type, the event class, and the
 * listed fields with their names. Neither order nor repeats of names matter; 42 and "42" differ.
 */
export function fingerprintOf(
  { source, eventClass }: Pick<FingerprintInput, 'source' | 'eventClass'>,
  { used }: ResolvedFields,
): string {
  const parts = [source.ref, source.type, eventClass, used]
  return hash('sha256', JSON.stringify(parts), 'hex')
}

/** Resolves names to values. The title identifies an event that nothing else does: all such events would be one. */
export function resolveFields(input: FingerprintInput, names: readonly string[]): ResolvedFields {
  const resolved: ResolvedFields = { used: [], ignored: [] }
  for (const name of names.length > 1 ? [...new Set(names)].sort() : names) {
    const value = resolve(input, name)
    if (isScalar(value)) resolved.used.push([name, value])
    else resolved.ignored.push(name)
  }
  const { source, eventClass } = input
  if (resolved.used.length === 0 && [source.ref, source.type, eventClass].every((part) => !part))
    resolved.used.push(['@title', input.title])
  return resolved
}

/** The event's id: a UUID (version 8, RFC 9562) of the fingerprint's first 122 bits that fit. */
export function eventIdOf(fingerprint: string): string {
  const variant = '89ab'[Number.parseInt(fingerprint.charAt(16), 16) & 3]
  return `${fingerprint.slice(0, 8)}-${fingerprint.slice(8, 12)}-8${fingerprint.slice(13, 16)}-${variant}${fingerprint.slice(17, 20)}-${fingerprint.slice(20, 32)}`
}

function resolve(input: FingerprintInput, name: string): unknown {
  switch (name) {
    case '@title':
      return input.title
    case '@message':
      return input.message
    case '@status':
      return input.status
    case '@severity':
      return input.severity
    case '@source.name':
      return input.source.name
    default:
      return Object.hasOwn(input.properties, name) ? input.properties[name] : undefined
  }
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value instanceof ExactNumber
