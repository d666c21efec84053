import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CoverageFormat } from '../../formats/coverage/coverage-formats.ts'
import type { State } from '../../formats/results/scenario.ts'

/** All that a project did when its tool ran, as `truth.json` beside a report has it: written from the project. */
export interface Truth {
  /** Tool and version. */
  producer: string
  /** The file beside it. */
  report: string
  format: 'junit' | 'cucumber' | 'playwright' | CoverageFormat
  exitCode?: number
  counts?: Partial<Record<State, number>>
  tests?: TrueTest[]
  /** File → its executable lines. */
  coverage?: Record<string, { hit: number[]; missed: number[] }>
  /** A part of the reason for which a report of another format is refused. */
  unreadable?: string
  /** Facts that the format cannot hold, or that its tool leaves out. */
  lost: string[]
}

export interface TrueTest {
  /** The end of the name that tells it apart; signs between words do not matter. */
  name: string
  state: State
  /** The state that the report has where its tool does not write the true one, or that it leaves the test out. */
  reported?: State | 'ABSENT'
  /** Tries before the last one. */
  tries?: number
  /** A part of what is said of its fault. */
  message?: string
}

const FOLDER = import.meta.dirname

export const producers = (): string[] =>
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name)
    .sort()

export function readProducer(name: string): { truth: Truth; text: string } {
  const truth: Truth = JSON.parse(readFileSync(join(FOLDER, name, 'truth.json'), 'utf8'))
  return { truth, text: readFileSync(join(FOLDER, name, truth.report), 'utf8') }
}
