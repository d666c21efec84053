import type { AttachmentFile } from '../../../../runner/run/attachment.ts'
import type { Labels } from '../execution.ts'
import type { ImportedCoverage } from './imported-coverage.ts'

export type ImportedFile = AttachmentFile

type State = 'COMPLETED' | 'FAILED' | 'ERROR' | 'SKIPPED'

/** Something that ran elsewhere, within all limits. */
interface Imported {
  name: string
  state: State
  /** Empty where it succeeded. */
  message: string
  durationMs: number
}

export type ImportedStep = Imported & { files: ImportedFile[] }

export interface ImportedTry extends Omit<Imported, 'name'> {
  state: 'FAILED' | 'ERROR'
  started: Date
  steps: ImportedStep[]
}

export interface ImportedScenario extends Imported {
  started: Date
  log: string
  steps: ImportedStep[]
  /** Before the last one. */
  tries: ImportedTry[]
}

/** Import that is to be an execution. */
export interface Import {
  name: string
  scenarios: ImportedScenario[]
  environmentId: string | null
  labels: Labels
  coverage: ImportedCoverage
  exitCode: number | null
  warnings: string[]
  executedBy: string
  requestId: string
  now: Date
}
