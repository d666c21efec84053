import { AppError } from '../../../schema/errors.ts'

/**
 * A place in the order of commit, behind which reading goes on. Transactions commit in another order than they begin,
 * so only what lies below the oldest running transaction is read: nothing can appear there any more.
 */
export interface Position {
  /** The transaction, and within it the raw event. */
  xact: string
  id: string
}

export const BEGINNING: Position = { xact: '0', id: '0' }

/** @param receivedAt of the raw event there: tells later whether its day is still kept */
export const streamCursor = ({ xact, id }: Position, receivedAt: Date): string =>
  Buffer.from(`${xact} ${id} ${receivedAt.getTime()}`).toString('base64url')

/** @throws AppError CURSOR_EXPIRED for what is no cursor of this stream */
export function readStreamCursor(cursor: string): Position & { receivedAt: Date } {
  const match = /^(\d{1,19}) (\d{1,18}) (\d{1,15})$/.exec(
    Buffer.from(cursor, 'base64url').toString(),
  )
  if (!match) throw cursorExpired()
  const [, xact = '', id = '', receivedMs] = match
  return { xact, id, receivedAt: new Date(Number(receivedMs)) }
}

export const cursorExpired = (): AppError =>
  new AppError(
    'CURSOR_EXPIRED',
    'The stream cannot go on behind this cursor: begin anew without it',
  )
