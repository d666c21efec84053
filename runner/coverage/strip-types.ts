import type { RawSourceMap } from './source-position.ts'

export interface StrippedSource {
  code: string
  /** Null where every position stayed the same. */
  map: RawSourceMap | null
}

/**
 * TypeScript to JavaScript, without checking types. Types become blanks; enums, namespaces and parameter properties,
 * which are code, are rewritten.
 * @throws SyntaxError
 */
export async function stripTypes(source: string): Promise<StrippedSource> {
  // Loaded with the first TypeScript component: it takes 20 ms and 20 MiB.
  const { transformSync } = await import('amaro')
  try {
    return { code: transformSync(source, { mode: 'strip-only' }).code, map: null }
  } catch (error) {
    if (!isFault(error) || error.code !== 'UnsupportedSyntax') throw syntaxError(error)
  }
  try {
    const { code, map } = transformSync(source, { mode: 'transform', sourceMap: true })
    return { code, map: map ? (JSON.parse(map) as RawSourceMap) : null } // as the library writes it
  } catch (error) {
    throw syntaxError(error)
  }
}

const isFault = (error: unknown): error is { code: string; message: string } =>
  typeof error === 'object' && error !== null && 'code' in error && 'message' in error

const syntaxError = (error: unknown) =>
  new SyntaxError(isFault(error) ? error.message : 'The types cannot be removed')
