import type { LogLevel } from '../sandbox/child-message.ts'

/** What would start a new line, or move the cursor of a terminal. */
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
  text.toWellFormed().replace(BREAKS, '\\n').replace(CONTROLS, '\uFFFD')

/** Whether a text is a line of a log as it is. */
export const isLogLine = (text: string): boolean =>
  /^([01]\d|2[0-3])(:[0-5]\d){2}\.\d{3} (DEBUG|INFO|WARN|ERROR) \S.*? {2}/.test(text)
