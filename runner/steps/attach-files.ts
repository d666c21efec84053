import type { AttachmentFile } from '../run/attachment.ts'
import { contentTypeOf, MAX_ATTACHMENT_NAME } from '../run/attachment.ts'
import { findReports } from './find-reports.ts'
import { PATH_BELOW } from './path-below.ts'
import { readBytesInside } from './read-inside.ts'

/** Patterns of one step. */
const MAX_PATTERNS = 20

/** JSON Schema of the files that a program leaves to be kept: patterns below its folder. */
export const ATTACH = {
  type: 'array',
  maxItems: MAX_PATTERNS,
  items: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_ATTACHMENT_NAME,
    pattern: PATH_BELOW,
  },
}

interface Search {
  /** The folder that patterns start from. */
  from: string
  patterns: readonly string[]
  /** Limit of one file. */
  maxBytes: number
  signal: AbortSignal
}

/**
 * The files that a program left, by the walls of reports: plain ones of the run, no links.
 * @param keep takes each, in the order of patterns and names
 * @param leaveOut hears why one is not kept; it fails no step
 */
export async function attachFiles(
  { from, patterns, maxBytes, signal }: Search,
  keep: (file: AttachmentFile) => Promise<void>,
  leaveOut: (reason: string) => void,
): Promise<void> {
  const findings = { entries: 0, reports: 0 }
  const seen = new Set<string>()
  for (const pattern of patterns) {
    const reasonOf = (name: string) => (error: unknown) => {
      signal.throwIfAborted()
      leaveOut(`${name} ${error instanceof Error ? error.message : error}`)
      return null
    }
    const names = await findReports(from, pattern, findings, signal).catch(reasonOf(pattern))
    if (names?.length === 0) leaveOut(`${pattern} is not there as a plain file of the run`)
    for (const name of names ?? []) {
      if (seen.has(name)) continue
      seen.add(name)
      const content = await readBytesInside(from, name, maxBytes).catch(reasonOf(name))
      if (content) await keep({ name, contentType: contentTypeOf(name), content })
    }
  }
}
