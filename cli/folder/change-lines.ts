import { stringify } from 'yaml'
import type { Change } from '../json.ts'
import type { Terminal } from '../terminal.ts'

const MARKS = { CREATED: '+', UPDATED: '~', UNCHANGED: ' ', DELETED: '-' } as const
const STYLES = { CREATED: 'green', UPDATED: 'yellow', UNCHANGED: 'dim', DELETED: 'red' } as const
/** Lines around a change. */
const CONTEXT = 2

/** A change as lines of text; in full with what differs in each attribute. */
export function changeLines(change: Change, inFull: boolean, { paint }: Terminal): string[] {
  const { action, kind, id, revision, attributes } = change
  const title = paint(STYLES[action], `${MARKS[action]} ${kind} ${id}`)
  const head = action === 'UPDATED' ? `${title} revision ${revision}` : title
  if (!inFull || action !== 'UPDATED') return [head]
  const lines = attributes.flatMap(({ name, before, after }) => [
    `    ${name}`,
    ...textDiff(textOf(before), textOf(after)).map((line) =>
      line.startsWith('+')
        ? paint('green', `      ${line}`)
        : line.startsWith('-')
          ? paint('red', `      ${line}`)
          : `      ${line}`,
    ),
  ])
  return [head, ...lines]
}

/** The order of keys says nothing: the store has its own. */
const textOf = (value: unknown): string[] => {
  if (value === null || value === undefined) return []
  const text =
    typeof value === 'string' ? value : stringify(value, { lineWidth: 100, sortMapEntries: true })
  return text.replace(/\n$/, '').split('\n')
}

/** Lines from the first difference to the last, with some around. */
export function textDiff(before: readonly string[], after: readonly string[]): string[] {
  let start = 0
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const around = (lines: readonly string[]) => lines.map((line) => `  ${line}`)
  return [
    ...around(before.slice(Math.max(0, start - CONTEXT), start)),
    ...before.slice(start, before.length - end).map((line) => `- ${line}`),
    ...after.slice(start, after.length - end).map((line) => `+ ${line}`),
    ...around(after.slice(after.length - end, after.length - end + CONTEXT)),
  ]
}
