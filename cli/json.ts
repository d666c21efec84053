/**
 * Documents that the command writes with `--json`, one a line. The package ships this file as its types, so it imports
 * nothing.
 */

/** `run`, `cancel`, `results` and `import`: an execution, as `GET /result/{id}` returns it. */
export interface Result {
  id: string
  type: 'TEST' | 'SUITE'
  contextId: string
  state: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ERROR'
  started: string
  ended: string | null
  message: string | null
  validationFailures: { name: string; message: string; stepId: string; datasetRow: number | null }[]
  codeCoverage: { componentName: string; coveragePercentage: number }[]
  testCaseResults: Result[]
}

/** `watch` and `run --follow`: an update of an execution. */
export interface Update {
  resultId: string
  cursor: string
  kind: 'STATE' | 'STEP' | 'LOG'
  log: string[] | null
  step: { id: string; name: string; state: string; message: string | null } | null
  execution: {
    type: 'TEST' | 'SUITE'
    state: string
    message: string | null
    progress: { queuePosition: number | null; scenarios: number; scenariosEnded: number }
  }
}

/** `logs` */
export interface Log {
  id: string
  log: string
}

/** `compare`: verdicts and coverage that differ. */
export interface Comparison {
  before: string
  after: string
  differences: Difference[]
  coverage: { componentName: string; before: number | null; after: number | null }[]
}

export interface Difference {
  contextId: string
  /** Null unless scenarios ran in several. */
  environmentId: string | null
  /** Null where the scenario is absent. */
  before: string | null
  after: string | null
  message: string | null
}

/** `apply` and `diff` */
export interface Applied {
  set: string
  dryRun: boolean
  changes: Change[]
}

/** Change of an artifact that was applied. */
export interface Change {
  kind: string
  id: string
  action: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'DELETED'
  revision: number | null
  attributes: { name: string; before: unknown; after: unknown }[]
}

/** `validate` */
export interface Validation {
  isValid: boolean
  /** Number of files that were read. */
  files: number
  faults: Fault[]
  warnings: Fault[]
}

export interface Fault {
  file: string | null
  artifact: string | null
  message: string
}

/** `init`, `export`, `import repository` and `schema FILE`: paths of what was written. */
export interface Written {
  files: string[]
}

/** `events list` and `events tail` */
export interface Event {
  id: string
  title: string
  severity: string
  status: string
  /** A text where JavaScript cannot hold the number. */
  timesSeen: number | string
  message?: string | null
}

/** `events send` */
export interface Sent {
  sent: number
  success: string
  errors?: { index: number; message: string }[]
}

/** `events ack` and `events close` */
export interface Settled {
  items: { id: string; outcome: string }[]
}

/** `import events`: the outcome of one. */
export interface ImportedEvent {
  index: number
  eventId: string | null
  outcome: 'CREATED' | 'MERGED' | 'UNCHANGED' | 'REFUSED'
  message: string | null
}

/** `completion` */
export interface Completion {
  shell: string
  script: string
}

/** `version` */
export interface Version {
  version: string
}

/** `schema`: a JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** Any document on standard output. */
export type Output =
  | Result
  | Update
  | Log
  | Comparison
  | Applied
  | Validation
  | Written
  | Event
  | Sent
  | Settled
  | ImportedEvent
  | Completion
  | Version
  | Schema

/** Line on standard error where a command fails. */
export interface Failure {
  error: { message: string; code: string }
}
