import { AppError } from '../../../schema/errors.ts'

/** A place in the stream, behind which reading goes on. */
export interface Position {
  /** A raw event that is stored, or 0. */
  id: string
  /** The horizon that was read up to; while it stays, there is nothing to read. */
  readUpTo: string | null
}

export const BEGINNING: Position = { id: '0', readUpTo: null }

/** What a cursor names: a raw event. With its time of receipt, so that one of another store is not taken for it. */
export interface CursorPlace {
  id: string
  receivedAt: Date
}

export const streamCursor = ({ id, receivedAt }: CursorPlace): string =>
  Buffer.from(`${id} ${receivedAt.getTime()}`).toString('base64url')

/** @throws AppError CURSOR_EXPIRED for what is no cursor of this stream */
export function readStreamCursor(cursor: string): CursorPlace {
  const match = /^(\d{1,18}) (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match) throw cursorExpired()
  const [, id = '', receivedMs] = match
  return { id, receivedAt: new Date(Number(receivedMs)) }
}

export const cursorExpired = (): AppError =>
  new AppError(
    'CURSOR_EXPIRED',
    'The stream cannot go on behind this cursor: its event is unknown here, or older than the retention time. Begin anew without it',
  )
