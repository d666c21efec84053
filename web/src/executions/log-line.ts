import type { ExecutionLogQuery } from '../graph/generated.ts'

export type LogLine = NonNullable<ExecutionLogQuery['executionResult']>['logLines']['nodes'][number]

/** What the reader asks of a log; the server applies it to stored lines, `isWanted` to lines that just arrived. */
export interface LogWish {
  text: string
  levels: readonly LogLine['level'][] | null
}

const LINE = /^(\S+) (DEBUG|INFO|WARN|ERROR) (.*?) {2}(.*)$/s
const LEVELS: readonly LogLine['level'][] = ['DEBUG', 'INFO', 'WARN', 'ERROR']

/** A line as it arrives, `HH:mm:ss.SSS LEVEL Source  message` in UTC. @param started when the execution started */
export function parsedLine(line: string, started: string): LogLine {
  const [, clock = '', level, source = '', message = line] = LINE.exec(line) ?? []
  const day = started.slice(0, 10)
  return {
    time: clock === '' ? started : `${day}T${clock}Z`,
    level: LEVELS.find((each) => each === level) ?? 'INFO',
    source,
    message,
  }
}

export const isWanted = ({ level, source, message }: LogLine, { text, levels }: LogWish): boolean =>
  (levels === null || levels.includes(level)) &&
  (text === '' || `${source}  ${message}`.toLowerCase().includes(text.toLowerCase()))
