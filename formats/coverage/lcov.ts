import { type CoverageReport, collectLines, plainPath } from './collect-lines.ts'

/** Reads a tracefile of lcov: records of `SF:<path>`, then `DA:<line>,<hits>`. @throws Error unless the text is one */
export function lcov(text: string): CoverageReport {
  const found = collectLines()
  let file: ReturnType<typeof found.file> | null = null
  for (const row of text.split(/\r?\n/)) {
    const [, kind, value = ''] = /^\s*([A-Z]+):(.*)$/.exec(row) ?? []
    if (kind === 'SF') file = value === '' ? null : found.file(plainPath(value))
    if (row.trim() === 'end_of_record') file = null
    if (kind !== 'DA') continue
    const [line, hits] = value.split(',')
    if (file) file.row(line, hits, row)
    else found.leaveOut(row)
  }
  return found.report()
}
