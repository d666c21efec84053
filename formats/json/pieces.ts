/** JSON that comes in pieces, as it is too large to be made in one. */
export class JsonPieces {
  readonly texts: Iterable<string>

  constructor(texts: Iterable<string>) {
    this.texts = texts
  }
}

/** An object, of which some values come in pieces. */
export function* objectPieces(values: Readonly<Record<string, unknown>>): Iterable<string> {
  let text = '{'
  let separator = ''
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue
    text += `${separator}${JSON.stringify(key)}:`
    separator = ','
    if (value instanceof JsonPieces) {
      yield text
      yield* value.texts
      text = ''
    } else text += JSON.stringify(value)
  }
  yield `${text}}`
}

/** A list, of which each item comes in pieces. */
export function* listPieces<Item>(
  items: Iterable<Item>,
  piecesOf: (item: Item) => Iterable<string>,
): Iterable<string> {
  let separator = '['
  for (const item of items) {
    yield separator
    yield* piecesOf(item)
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/** Characters in a piece of a text: less than a millisecond. */
const PIECE_LENGTH = 65_536

export function* textPieces(text: string): Iterable<string> {
  yield '"'
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE_LENGTH
    // Two characters that are one code point stay together.
    const isWithinPair = (text.codePointAt(end - 1) ?? 0) > 0xffff
    const piece = text.slice(at, isWithinPair ? end + 1 : end)
    yield JSON.stringify(piece).slice(1, -1)
    at += piece.length
  }
  yield '"'
}
