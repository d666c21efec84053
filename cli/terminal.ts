import { styleText } from 'node:util'

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
  /** Text as it is, such as a log. */
  text(text: string): void
  /** Goes to standard error, always. */
  note(text: string): void
  /** Replaces the progress that is shown; only where somebody watches. */
  progress(lines: readonly string[]): void
  paint(style: Style, text: string): string
}

export interface TerminalOptions {
  isJson: boolean
  env: Readonly<Record<string, string | undefined>>
  stdout?: NodeJS.WriteStream
  stderr?: NodeJS.WriteStream
}

export function createTerminal({
  isJson,
  env,
  stdout = process.stdout,
  stderr = process.stderr,
}: TerminalOptions): Terminal {
  const isLive = !isJson && Boolean(stdout.isTTY && stderr.isTTY) && !env.CI && env.TERM !== 'dumb'
  const hasColour = !isJson && Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb'
  let shown = 0
  const clear = () => {
    if (shown > 0) stderr.write(`\x1b[${shown}A\x1b[J`)
    shown = 0
  }
  return {
    isJson,
    isLive,
    line(text = '') {
      clear()
      if (!isJson) stdout.write(`${text}\n`)
    },
    json(value) {
      if (isJson) stdout.write(`${JSON.stringify(value)}\n`)
    },
    text(text) {
      clear()
      stdout.write(text)
    },
    note(text) {
      clear()
      stderr.write(`${text}\n`)
    },
    progress(lines) {
      if (!isLive) return
      clear()
      const width = stderr.columns ?? 80
      for (const line of lines) stderr.write(`${line.slice(0, width - 1)}\n`)
      shown = lines.length
    },
    paint: (style, text) => (hasColour ? styleText(style, text, { validateStream: false }) : text),
  }
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
