import type { SourceFields } from '../ingestion/occurrence.ts'

interface SourceColumns {
  sourceRef: string | null
  sourceType: string | null
  sourceName: string | null
  sourceProperties: Record<string, unknown> | null
}

/** The source of an event or raw event; null where the client named nothing. */
export function sourceOf(row: SourceColumns): SourceFields | null {
  const { sourceRef: ref, sourceType: type, sourceName: name, sourceProperties: properties } = row
  return (ref ?? type ?? name ?? properties) === null ? null : { ref, type, name, properties }
}
