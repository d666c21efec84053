import { GraphQLError, Lexer, Source, type Token, TokenKind } from 'graphql'

/** Levels of braces, brackets and parentheses, through fragments too. Parser and planner recurse. */
const MAX_NESTING = 200

export const TOO_NESTED = `The document nests more than ${MAX_NESTING} levels of brackets: ask for less at a time`

/** A fragment or an operation, as far as its nesting goes. */
interface Definition {
  depth: number
  /** The deepest level at which each fragment is spread. */
  spreads: Map<string, number>
}

/** Tells, without recursion, whether a document is nested too deeply. Other faults of it are for the parser. */
export function isTooNested(text: string): boolean {
  if (!hasManyBrackets(text)) return false
  const { definitions, fragments } = definitionsOf(text)
  const depths = new Map<Definition, number>()

  /** @param above levels that it is nested in already */
  const depthOf = (definition: Definition, above: number): number => {
    if (above > MAX_NESTING) return above
    const known = depths.get(definition)
    if (known !== undefined) return known
    depths.set(definition, 0) // ends cycles, which validation explains
    let depth = definition.depth
    for (const [name, level] of definition.spreads) {
      const fragment = fragments.get(name)
      if (fragment) depth = Math.max(depth, level + depthOf(fragment, above + level))
      if (above + depth > MAX_NESTING) break
    }
    depths.set(definition, depth)
    return depth
  }
  return definitions.some((definition) => depthOf(definition, 0) > MAX_NESTING)
}

const OPENING_BRACKET = /[{[(]/g

/** Each level takes a bracket: few of them cannot be too deep. */
function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const _ of text.matchAll(OPENING_BRACKET)) if (++count > MAX_NESTING) return true
  return false
}

/** Tells whether a document has more than `max` tokens, and reads no further. */
export function hasMoreTokens(text: string, max: number): boolean {
  if (text.length <= max) return false
  let count = 0
  for (const _ of tokensOf(text)) if (++count > max) return true
  return false
}

/** Reads the definitions up to a fault, or to where one is too deep by itself. */
function definitionsOf(text: string) {
  const definitions: Definition[] = []
  const fragments = new Map<string, Definition>()
  let current: Definition | undefined
  let level = 0
  for (const token of tokensOf(text)) {
    if (!current) {
      current = { depth: 0, spreads: new Map() }
      definitions.push(current)
    }
    if (OPENING.has(token.kind)) {
      current.depth = Math.max(current.depth, ++level)
      if (level > MAX_NESTING) break
    } else if (CLOSING.has(token.kind)) {
      level = Math.max(level - 1, 0)
      if (level === 0 && token.kind === TokenKind.BRACE_R) current = undefined
    } else if (token.kind === TokenKind.NAME) {
      const before = token.prev
      if (level === 0 && before?.value === 'fragment') fragments.set(token.value, current)
      else if (before?.kind === TokenKind.SPREAD && token.value !== 'on')
        current.spreads.set(token.value, Math.max(level, current.spreads.get(token.value) ?? 0))
    }
  }
  return { definitions, fragments }
}

const OPENING: ReadonlySet<TokenKind> = new Set([
  TokenKind.BRACE_L,
  TokenKind.BRACKET_L,
  TokenKind.PAREN_L,
])
const CLOSING: ReadonlySet<TokenKind> = new Set([
  TokenKind.BRACE_R,
  TokenKind.BRACKET_R,
  TokenKind.PAREN_R,
])

/** Ends at the first character that starts no token. */
function* tokensOf(text: string): Generator<Token> {
  const lexer = new Lexer(new Source(text))
  try {
    while (lexer.advance().kind !== TokenKind.EOF) yield lexer.token
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
  }
}
