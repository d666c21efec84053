import { styleText } from 'node:util'
import { exactJson } from '../schema/exact-number.ts'

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'cyan'

/** Where commands write: results to standard output, progress and faults to standard error. */
export interface Terminal {
  /** Whether results are JSON. */
  isJson: boolean
  /** Whether somebody watches. */
  isLive: boolean
  /** A line for people; nothing where results are JSON. */
  line(text?: string): void
  /** A result as JSON; nothing where results are for people. */
  json(value: unknown): void
  /** Text for people as it is, such as a log; nothing where results are JSON. */
  text(text: string): void
  /** Goes to standard error, always. */
  note(text: string): void
  /** Replaces the progress that stands below all lines; only on a live terminal. */
  progress(line: string | null): void
  paint(style: Style, text: string): string
}

export interface TerminalOptions {
  isJson: boolean
  env: Readonly<Record<string, string | undefined>>
}

export function createTerminal({ isJson, env }: TerminalOptions): Terminal {
  const { stdout, stderr } = process
  let hasReader = true
  stdout.once('error', () => {
    hasReader = false
  })
  const put = (text: string) => {
    if (hasReader) stdout.write(text)
  }
  const isLive = !isJson && Boolean(stdout.isTTY && stderr.isTTY) && !env.CI && env.TERM !== 'dumb'
  const hasColour = !isJson && Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb'
  let shown: string | null = null
  const clear = () => {
    if (shown !== null) stderr.write('\x1b[1A\x1b[J')
  }
  const draw = () => {
    if (shown !== null)
      stderr.write(`${cut(harmless(oneLine(shown)), (stderr.columns || 80) - 1)}\n`)
  }
  /** Writes above the progress. */
  const above = (write: () => void) => {
    clear()
    write()
    draw()
  }
  const write = (text: string) => {
    if (!isJson) above(() => put(harmless(text)))
  }
  return {
    isJson,
    isLive,
    line: (text = '') => write(`${text}\n`),
    json(value) {
      if (isJson) put(`${exactJson(value)}\n`)
    },
    text: write,
    note(text) {
      above(() => stderr.write(`${harmless(text)}\n`))
    },
    progress(line) {
      if (!isLive) return
      clear()
      shown = line
      draw()
    },
    paint: (style, text) => (hasColour ? styleText(style, text, { validateStream: false }) : text),
  }
}

/** Colours that `paint` sets or ends, ends of lines, and control characters besides tab and newline. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(\u001b\[(?:1|2|22|31|32|33|36|39)m)|\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Text for a terminal, which obeys control characters: those of others could hide or forge lines. */
export const harmless = (text: string): string =>
  text.replace(CONTROLS, (found, colour) => colour ?? (found === '\r\n' ? '\n' : '\uFFFD'))

/** Text that is to stay in its line. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const COLOUR = /(\u001b\[[0-9;]*m)/

/** Characters that take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** The beginning of a line that fits into a width, in columns; colours take none. */
export function cut(line: string, width: number): string {
  let left = width
  return line
    .split(COLOUR)
    .map((part) => {
      if (COLOUR.test(part)) return part
      return [...part]
        .filter((each) => {
          left -= WIDE.test(each) ? 2 : 1
          return left >= 0
        })
        .join('')
    })
    .join('')
}

const STATE_STYLES: Readonly<Record<string, Style>> = {
  COMPLETED: 'green',
  FAILED: 'red',
  ERROR: 'red',
  SKIPPED: 'dim',
  RUNNING: 'cyan',
}

/** A state in its colour. */
export const painted = ({ paint }: Terminal, state: string): string =>
  paint(STATE_STYLES[state] ?? 'bold', state)
