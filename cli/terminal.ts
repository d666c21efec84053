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
    if (shown !== null) stderr.write(`${cut(shown, (stderr.columns || 80) - 1)}\n`)
  }
  /** Writes above the progress. */
  const above = (write: () => void) => {
    clear()
    write()
    draw()
  }
  const write = (text: string) => {
    if (!isJson) above(() => put(text))
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
      above(() => stderr.write(`${text}\n`))
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const COLOUR = /(\u001b\[[0-9;]*m)/

/** The beginning of a line that fits into a width; colours take none. */
export function cut(line: string, width: number): string {
  let left = width
  return line
    .split(COLOUR)
    .map((part) => {
      if (COLOUR.test(part)) return part
      const kept = part.slice(0, Math.max(0, left))
      left -= part.length
      return kept
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
