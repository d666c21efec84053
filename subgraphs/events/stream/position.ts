import { AppError } from '../../../formats/errors.ts'

/** Change that a cursor names. With its time, so that one of another store is not taken for it. */
export interface StreamPosition {
  position: number
  at: Date
}

export const streamCursor = ({ position, at }: StreamPosition): string =>
  Buffer.from(`${position} ${at.getTime()}`).toString('base64url')

/** @throws AppError CURSOR_EXPIRED unless the text is a cursor of these streams */
export function readStreamCursor(cursor: string): StreamPosition {
  const match = /^(\d{1,15}) (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match) throw cursorExpired()
  const [, position, ms] = match
  return { position: Number(position), at: new Date(Number(ms)) }
}

export const cursorExpired = (): AppError =>
  new AppError(
    'CURSOR_EXPIRED',
    'The stream cannot go on behind this cursor: its event is unknown here, or older than the retention time. Begin anew without it',
  )
