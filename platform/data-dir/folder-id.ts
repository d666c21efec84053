import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'

/** Names a folder (or an entry of it) by what it is, not by its path: it stays the same when the folder is moved or mounted elsewhere. */
export async function folderId(path: string, entry = ''): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true })
  return createHash('sha256').update(`${dev}:${ino}:${entry}`).digest('hex').slice(0, 16)
}
