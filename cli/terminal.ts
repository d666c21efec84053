import { randomUUID } from 'node:crypto'
import { stripVTControlCharacters, styleText } from 'node:util'
import { exactJson } from '../formats/json/exact-number.ts'
import type { Output } from './json.ts'

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'cyan'

/** Output of commands: results to standard output, progress and faults to standard error. */
export interface Terminal {
  /** True if results are JSON. */
  isJson: boolean
  /** True if somebody watches. */
  isLive: boolean
  /** A line for people; nothing where results are JSON. */
  line(text?: string): void
  /** A result as JSON; nothing where results are for people. */
  json(value: Output): void
  /** Text for people as it is, such as a log; nothing where results are JSON. */
  text(text: string): void
  /** A command for the build server that runs this one. */
  command(line: string): void
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
  const plain = withoutCommands(env)
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
      stderr.write(`${cut(plain(harmless(oneLine(shown))), (stderr.columns || 80) - 1)}\n`)
  }
  /** Writes above the progress. */
  const above = (write: () => void) => {
    clear()
    write()
    draw()
  }
  const write = (text: string) => {
    if (!isJson) above(() => put(plain(harmless(text))))
  }
  return {
    isJson,
    isLive,
    line: (text = '') => write(`${text}\n`),
    json(value) {
      if (isJson) put(jsonLine(value))
    },
    text: write,
    command(line) {
      if (!isJson) above(() => put(`${harmless(line)}\n`))
    },
    note(text) {
      above(() => stderr.write(`${plain(harmless(text))}\n`))
    },
    progress(line) {
      if (!isLive) return
      clear()
      shown = line
      draw()
    },
    paint: (style, text) =>
      hasColour
        ? styleText(style, text, { validateStream: false }).replaceAll('\u001b', OWN)
        : text,
  }
}

/** JSON that is no command of a build server and moves no cursor: only strings can hold what is escaped. */
export const jsonLine = (value: unknown): string =>
  `${exactJson(value)
    .replaceAll('##', '#\\u0023')
    .replace(/[\u007f-\u009f]/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`)}\n`

/** Marks colours that `paint` sets. No text of others can hold it. */
const OWN = `\u001b${randomUUID()}`

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const CONTROLS = /\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Text for a terminal without foreign escape sequences and control characters, which could hide or forge lines. */
export const harmless = (text: string): string =>
  text.split(OWN).map(withoutControls).join('\u001b')

const withoutControls = (text: string): string =>
  stripVTControlCharacters(text).replace(CONTROLS, (found) => (found === '\r\n' ? '\n' : '\uFFFD'))

/** Build servers that read commands from the output of a build. */
const COMMANDED_BY = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'] as const

/**
 * Makes text that is no command of a build server: GitHub takes `::` at the start of a line and `##[` anywhere, Azure
 * `##vso[`, TeamCity `##teamcity[`.
 */
export function withoutCommands(env: TerminalOptions['env']): (text: string) => string {
  if (COMMANDED_BY.every((name) => !env[name])) return (text) => text
  return (text) => text.replace(/##(?=\w*\[)/g, '# #').replace(/^(\s*):(?=:)/gm, '$1: ')
}

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
