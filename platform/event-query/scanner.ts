import type { Word } from './query.ts'
import { syntaxError } from './syntax-error.ts'

const SPECIAL = /[\s()[\]{}":]/

const PUNCTUATION = /^[\p{P}+<=>|~^`$]+$/u

/** A word between slashes, which Lucene reads as a regular expression; a path has further slashes, or none at its end. */
const REGULAR_EXPRESSION = /\/(?:[^/\\\s]|\\.)+\/(?=[\s)\]}]|$)/suy

/** Modifiers that Lucene takes behind a word, a phrase or a parenthesis: fuzziness, and weight. */
const MODIFIER = /(?:~(?:\d*\.)?\d*|\^(?:\d*\.)?\d+)(?=[\s()[\]{}"~^]|$)/y

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

  /** Takes one of the upper-case operators if it stands there as a word of its own. */
  takeOperator(...operators: string[]): boolean {
    this.#skipBlanks()
    return operators.some((operator) => {
      const next = this.text.charAt(this.offset + operator.length)
      const isWord = /\w/.test(operator) && next !== '' && !SPECIAL.test(next)
      return !isWord && this.#takeHere(operator)
    })
  }

  /** Takes a sign that stands right before what it is about; before a blank it is text. */
  takePrefix(...signs: string[]): boolean {
    this.#skipBlanks()
    const next = this.text.charAt(this.offset + 1)
    return next !== '' && !/\s/.test(next) && signs.some((sign) => this.#takeHere(sign))
  }

  /** @throws AppError where a value begins with the sign of an operator, unless it is that of a number */
  refuseSign(field: string): void {
    this.#skipBlanks()
    const sign = this.#matchHere(/!(?=\S)|[-+](?=[^\s\d.])/y)
    if (sign === undefined) return
    throw syntaxError(
      `${sign} stands before the field, as in ${sign}${field}:…; put the value in quotation marks where ${sign} is text`,
      this.offset,
    )
  }

  /** @throws AppError where one of the operators stands as a word of its own */
  refuseOperator(operators: readonly string[], fault: (operator: string) => string): void {
    this.#skipBlanks()
    const { offset } = this
    const found = operators.find((operator) => this.takeOperator(operator))
    if (found !== undefined)
      throw syntaxError(`${fault(found)}; put ${found} in quotation marks where it is text`, offset)
  }

  /** Takes `>`, `>=`, `<` or `<=`. @throws AppError where no value follows */
  takeComparison(): string | undefined {
    this.#skipBlanks()
    const sign = this.#matchHere(/[<>]=?/y)
    if (!sign) return undefined
    this.offset += sign.length
    this.#skipBlanks()
    if (/^[()[\]{}<>]?$/.test(this.#here()))
      throw syntaxError(`a value is missing behind ${sign}`, this.offset)
    return sign
  }

  isAt(sign: string): boolean {
    this.#skipBlanks()
    return this.text.startsWith(sign, this.offset)
  }

  /** A word, up to the next blank or sign. @param ends what ends it */
  word(ends: RegExp = SPECIAL): Word {
    this.#skipBlanks()
    const start = this.offset
    if (this.#matchHere(REGULAR_EXPRESSION))
      throw syntaxError(
        'regular expressions are not supported; use * and ?, or put text in quotation marks',
        start,
      )
    let text = ''
    let like = ''
    let hasWildcard = false
    for (let sign = this.#here(); sign !== '' && !ends.test(sign); sign = this.#here()) {
      if (this.offset > start) this.refuseModifier()
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
    const word = { text, like: hasWildcard ? like : null }
    return PUNCTUATION.test(text) && !hasWildcard ? { ...word, isPunctuation: true } : word
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

  /** @throws AppError BAD_USER_INPUT where `~` or `^` modifies what has just been read */
  refuseModifier(): void {
    const modifier = this.#matchHere(MODIFIER)
    if (modifier === undefined) return
    const sign = modifier.charAt(0)
    const name = sign === '~' ? 'fuzzy and proximity searches' : 'boosts'
    throw syntaxError(
      `${name} (${sign}) are not supported; put \\ before ${sign} where it is text`,
      this.offset,
    )
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

  /** @param pattern sticky */
  #matchHere(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset
    return pattern.exec(this.text)?.[0]
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
