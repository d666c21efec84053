import type { CoveredFile } from './file-coverage.ts'
import { isLine } from './is-line.ts'

/** Reads a tracefile of lcov: records of `SF:<path>`, then `DA:<line>,<hits>`. @throws Error unless the text is one */
export function lcov(text: string): CoveredFile[] {
  const files: { path: string; lines: Map<number, boolean> }[] = []
  for (const row of text.split(/\r?\n/)) {
    const [, kind, value = ''] = /^([A-Z]+):(.*)$/.exec(row) ?? []
    if (kind === 'SF') files.push({ path: value, lines: new Map() })
    if (kind !== 'DA') continue
    const [line, hits] = value.split(',').map(Number)
    const lines = files.at(-1)?.lines
    if (!lines || !isLine(line) || hits === undefined || !(hits >= 0))
      throw new Error(`cannot read ${row}`)
    lines.set(line, lines.get(line) === true || hits > 0)
  }
  if (files.length === 0) throw new Error('it names no file')
  return files
}
