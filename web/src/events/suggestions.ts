import { EventFieldsDocument, EventFieldValuesDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { phrase } from './query.ts'

/** The query so far with each way to go on: a field, or a value of the field that was typed. */
export function useSuggestions(query: string): string[] {
  const [, before = '', word = ''] = /^(.*?)([^\s()]*)$/s.exec(query) ?? []
  const [, field, prefix = ''] = /^-?([\w.]+):"?([^"]*)$/.exec(word) ?? []
  const fields = useRead(EventFieldsDocument, { prefix: word }, field !== undefined)
  const values = useRead(
    EventFieldValuesDocument,
    { field: field ?? '', prefix },
    field === undefined,
  )
  if (field === undefined)
    return (fields.data?.eventFields ?? []).map(({ name }) => `${before}${name}:`)
  return (values.data?.eventFieldValues ?? []).map(
    ({ value }) => `${before}${field}:${quoted(value)}`,
  )
}

/** Words stand as they are; what the syntax could read as more is quoted. */
const quoted = (value: string): string => (/^[\w.-]+$/.test(value) ? value : phrase(value))
