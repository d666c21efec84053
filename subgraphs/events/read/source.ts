import type { SourceFields } from '../ingestion/occurrence.ts'
import type { StoredRawEvent } from '../tables/raw-event.entity.ts'

type SourceColumns = Pick<
  StoredRawEvent,
  'sourceRef' | 'sourceType' | 'sourceName' | 'sourceProperties'
>

/** The source of an event or raw event; null where the client named nothing. */
export function sourceOf(row: SourceColumns): SourceFields | null {
  const { sourceRef: ref, sourceType: type, sourceName: name, sourceProperties: properties } = row
  return (ref ?? type ?? name ?? properties) === null ? null : { ref, type, name, properties }
}
