/** Stands at every argument that takes a query. */
export const QUERY_DESCRIPTION =
  'Which ones, in Lucene syntax: `field:value`, "phrases", AND, OR, NOT or -, parentheses, `*` and `?`, ranges `[a TO b]`; what stands side by side must all match. Fields: title, message, severity, status, tags, eventClass, source.ref, source.type, source.name, properties.<key>, firstSeenAt, lastSeenAt, timesSeen; for occurrences also occurredAt and receivedAt. Words without a field are looked for in title and message. Everything, if absent.'
