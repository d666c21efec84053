import { stripVTControlCharacters } from 'node:util'
import { currentTime } from '../../platform/process/clock.ts'
import type { LogLevel } from '../sandbox/child-message.ts'
import type { RunCount } from './limits.ts'
import type { Mask } from './mask.ts'

/** The log of one execution: every line masked, kept for the result, and handed on while the scenario runs. */
export interface RunLog {
  /** @param source the step or the component that says it */
  write(level: LogLevel, source: string, message: string): void
  /** Writes a line of the execution itself: short, and kept beyond the limit of the log, as it says why that ends it. */
  note(level: LogLevel, message: string): void
  /** Passes the lines so far on; otherwise that happens at the end of the event loop's turn. */
  flush(): void
  /** All lines so far. */
  text(): string
}

export function createRunLog(
  mask: Mask,
  count: Pick<RunCount, 'noteLine'>,
  onLines: (lines: string[]) => void,
): RunLog {
  const lines: string[] = []
  let handedOn = 0
  let scheduled: NodeJS.Immediate | undefined
  const flush = () => {
    clearImmediate(scheduled)
    scheduled = undefined
    const fresh = lines.slice(handedOn)
    handedOn = lines.length
    if (fresh.length > 0) onLines(fresh)
  }
  const add = (level: LogLevel, source: string, message: string, isOwn: boolean) => {
    // Masked as a whole, as a secret may hold a break; then each line stands with its own time and source.
    for (const line of mask.text(message).split(/\r\n|\r|\n/)) {
      const text = logLine(currentTime(), level, source, line)
      if (count.noteLine(text) || isOwn) lines.push(text)
    }
    scheduled ??= setImmediate(flush)
  }
  return {
    flush,
    text: () => lines.join('\n'),
    write: (level, source, message) =>
      add(level, source.trim() === OWN ? `"${OWN}"` : source, message, false),
    note: (level, message) => add(level, OWN, message, true),
  }
}

/** The source of what the execution itself says. */
const OWN = 'Execution'

/** Characters that would start a new line, or move the cursor of a terminal. */
const BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are replaced
const CONTROLS = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F]/g

/**
 * One line `HH:mm:ss.SSS LEVEL Source  message`, in UTC. A break inside the message is written as `\n`, so that a
 * message cannot forge a line.
 */
export function logLine(time: Date, level: LogLevel, source: string, message: string): string {
  const clock = time.toISOString().slice(11, 23)
  return `${clock} ${level} ${oneLine(source).replace(/\s+/g, ' ')}  ${oneLine(message)}`
}

const oneLine = (text: string) =>
  stripVTControlCharacters(text).toWellFormed().replace(BREAKS, '\\n').replace(CONTROLS, '\uFFFD')

/** True if a text is a line of a log as it is. */
export const isLogLine = (text: string): boolean =>
  /^([01]\d|2[0-3])(:[0-5]\d){2}\.\d{3} (DEBUG|INFO|WARN|ERROR) \S.*? {2}/.test(text)
