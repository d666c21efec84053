import { AppError, badInput } from '../../../formats/errors.ts'
import { checkEventQuery } from '../../../platform/event-query/check-query.ts'

/** @throws AppError BAD_USER_INPUT that names the attribute and the position of the fault */
export function checkStoredQuery(query: unknown): void {
  const text = String(query)
  if (text.trim() === '') throw badInput('query: it is empty; * matches all events')
  try {
    checkEventQuery(text)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw badInput(`query: ${cause.message.replace('The query (q) is', 'it is')}`, { cause })
  }
}
