import pg from 'pg'
import { type OpenSpan, startSpan } from './trace.ts'

const VERB = /^\s*(?:--.*\n\s*)*(\w+)/
const TABLE = /\b(?:from|into|update|copy|table)\s+((?:"?[a-z_][\w$]*"?\.)?"?[a-z_][\w$]*"?)/i

/** Summary of a statement: its verb and table. The text itself may hold values. */
export function summaryOf(text: string): string {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
  const table = TABLE.exec(text)?.[1]?.replaceAll('"', '')
  return table ? `${verb} ${table}` : verb
}

/** Makes a span of each statement within a trace, on every connection. @returns ends that */
export function traceStatements(): () => void {
  const plain = pg.Client.prototype.query
  const traced = function (this: pg.Client, ...args: unknown[]): unknown {
    const span = startSpan(`SQL ${summaryOf(textOf(args[0]))}`, {
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql' },
    })
    const query = (given: unknown[]): unknown => plain.apply(this, given as never) // one of a dozen signatures
    if (!span) return query(args)
    const last = args.length - 1
    const callback = args[last]
    if (typeof callback !== 'function') return ended(query(args), span)
    const report = (error: unknown, ...results: unknown[]) => {
      span.end(error ?? undefined)
      callback(error, ...results)
    }
    return query(args.with(last, report))
  }
  pg.Client.prototype.query = traced as typeof plain
  return () => {
    pg.Client.prototype.query = plain
  }
}

const textOf = (query: unknown): string => {
  if (typeof query === 'string') return query
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : ''
  return typeof text === 'string' ? text : ''
}

/** A promise of rows, or a stream of them. */
function ended(result: unknown, span: OpenSpan): unknown {
  if (result instanceof Promise) {
    result.then(
      () => span.end(),
      (error) => span.end(error),
    )
  } else if (isEmitter(result)) {
    result.once('error', (error) => span.end(error))
    result.once('end', () => span.end())
    result.once('finish', () => span.end())
  } else span.end()
  return result
}

const isEmitter = (result: unknown): result is NodeJS.EventEmitter =>
  typeof result === 'object' && result !== null && 'once' in result
