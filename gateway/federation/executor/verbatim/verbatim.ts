import { randomBytes } from 'node:crypto'

/**
 * A value as the text that a subgraph sent. It was compared with what the client asked for, so it becomes part of the
 * response unread.
 */
export class Verbatim {
  /** @param form the name of what it was compared with */
  constructor(
    readonly text: string,
    readonly form: string,
  ) {}

  get value(): unknown {
    return JSON.parse(this.text)
  }

  toString(): string {
    return this.text
  }

  toJSON(): unknown {
    if (!collected) return this.value
    collected.push(this.text)
    return MARK
  }
}

/** What a text says; other values as they are. */
export const readValue = (value: unknown): unknown =>
  value instanceof Verbatim ? value.value : value

/** Stands for a text while a response is written. No response has it, so no client or subgraph can know it. */
const MARK = randomBytes(12).toString('base64')
let collected: string[] | undefined

/** A value as JSON, with the texts in it as they are. */
export function textOf(value: unknown): string {
  const texts: string[] = []
  const marked = markedText(value, texts)
  if (texts.length === 0) return marked
  const all: string[] = []
  for (const [index, piece] of marked.split(`"${MARK}"`).entries())
    all.push(piece, texts[index] ?? '')
  return all.join('')
}

/** @param texts receives those that the marks stand for */
function markedText(value: unknown, texts: string[]): string {
  collected = texts
  try {
    return JSON.stringify(value)
  } finally {
    collected = undefined
  }
}
