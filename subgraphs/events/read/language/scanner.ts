import type { Word } from './query.ts'
import { syntaxError } from './syntax-error.ts'

const SPECIAL = /[\s()[\]{}":]/

/** Reads the text of a query from left to right. */
export class Scanner {
  offset = 0

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    this.#skipBlanks()
    return this.offset >= this.text.length
  }

  /** Takes the given sign if it comes next. */
  take(sign: string): boolean {
    this.#skipBlanks()
    return this.#takeHere(sign)
  }

  /** Takes the given sign only if nothing, not even a blank, stands before it. */
  takeAdjacent(sign: string): boolean {
    return this.#takeHere(sign)
  }

  /** Takes one of the upper-case operators if it stands there as a word of its own. */
  takeOperator(...operators: string[]): boolean {
    this.#skipBlanks()
    return operators.some((operator) => {
      const next = this.text.charAt(this.offset + operator.length)
      const isWord = /\w/.test(operator) && next !== '' && !SPECIAL.test(next)
      return !isWord && this.#takeHere(operator)
    })
  }

  isAt(sign: string): boolean {
    this.#skipBlanks()
    return this.text.startsWith(sign, this.offset)
  }

  /** A word, up to the next blank or sign. @param ends what ends it */
  word(ends: RegExp = SPECIAL): Word {
    this.#skipBlanks()
    const start = this.offset
    let text = ''
    let like = ''
    let hasWildcard = false
    for (let sign = this.#here(); sign !== '' && !ends.test(sign); sign = this.#here()) {
      this.offset++
      if (sign === '*' || sign === '?') {
        hasWildcard = true
        like += sign === '*' ? '%' : '_'
        text += sign
        continue
      }
      const literal = sign === '\\' ? this.#escaped() : sign
      text += literal
      like += literal.replace(/[\\%_]/, '\\$&')
    }
    if (this.offset === start) throw syntaxError('a word is missing', start)
    return { text, like: hasWildcard ? like : null }
  }

  /** The rest of a phrase whose opening quote has been taken. Wildcards have no meaning in it. */
  phrase(): Word {
    const start = this.offset - 1
    let text = ''
    for (;;) {
      const sign = this.#here()
      if (sign === '') throw syntaxError('the quotation is not closed', start)
      this.offset++
      if (sign === '"') return { text, like: null }
      text += sign === '\\' ? this.#escaped() : sign
    }
  }

  #escaped(): string {
    const sign = this.#here()
    if (sign === '') throw syntaxError('nothing follows the backslash', this.offset - 1)
    this.offset++
    return sign
  }

  #here(): string {
    return this.text.charAt(this.offset)
  }

  #takeHere(sign: string): boolean {
    if (!this.text.startsWith(sign, this.offset)) return false
    this.offset += sign.length
    return true
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#here())) this.offset++
  }
}
