import { SourceMap, type SourceMapPayload } from 'node:module'

/** A source map as the tools hand it over. */
export type RawSourceMap = Pick<SourceMapPayload, 'mappings'> & {
  sources?: string[]
  names?: string[]
}

/** Follows a position (counted from 1) back through maps, the last transformation first; null where a map has no answer. */
export function createLineFinder(
  maps: RawSourceMap[],
): (line: number, column: number) => number | null {
  const chain = maps.map(({ mappings, sources = ['component'], names = [] }) => {
    const rest = { version: 3, file: '', sourceRoot: '', sourcesContent: [] }
    return new SourceMap({ ...rest, mappings, names, sources })
  })
  return (line, column) => {
    let at = { line: line - 1, column: column - 1 }
    for (const map of chain) {
      const entry = map.findEntry(at.line, at.column)
      if (!('originalLine' in entry)) return null
      at = { line: entry.originalLine, column: entry.originalColumn }
    }
    return at.line + 1
  }
}
