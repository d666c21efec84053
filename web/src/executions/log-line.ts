import type { LogLineFragment } from '../graph/generated.ts'

export type LogLine = LogLineFragment

/** Filter of a log; the server applies it to stored lines, `isWanted` to lines that just arrived. */
export interface LogWish {
  text: string
  levels: readonly LogLine['level'][] | null
}

const LINE = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}) (DEBUG|INFO|WARN|ERROR) (.*?) {2}(.*)$/s
const LEVELS: readonly LogLine['level'][] = ['DEBUG', 'INFO', 'WARN', 'ERROR']

const DAY_MS = 86_400_000
/** Lines of things that run at once may be out of order by less. */
const BACK_MS = 3_600_000

/** Lines as they arrive, `HH:mm:ss.SSS LEVEL Source  message` in UTC. @param started when the execution started */
export function parsedLines(lines: readonly string[], started: string): LogLine[] {
  let latest = Date.parse(started)
  return lines.map((line) => {
    const [, clock, level, source = '', message = line] = LINE.exec(line) ?? []
    if (clock !== undefined) latest = timeOf(clock, latest)
    return {
      time: new Date(latest).toISOString(),
      level: LEVELS.find((each) => each === level) ?? 'INFO',
      source,
      message,
    }
  })
}

/** The first time with this clock from shortly before the line before on. */
function timeOf(clock: string, before: number): number {
  const from = before - BACK_MS
  const time = Date.parse(`${new Date(from).toISOString().slice(0, 10)}T${clock}Z`)
  return time < from ? time + DAY_MS : time
}

export const isWanted = ({ level, source, message }: LogLine, { text, levels }: LogWish): boolean =>
  (levels === null || levels.includes(level)) &&
  (text === '' || `${source}  ${message}`.toLowerCase().includes(text.toLowerCase()))
