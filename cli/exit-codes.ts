/** Exit codes for scripts; `assay help` and docs/reference/cli.md list them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  refused: 4,
  timeout: 5,
  defect: 70,
  cancelled: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'done; a run ended COMPLETED, files are valid, nothing differs',
  1: 'a run ended FAILED or ERROR, files have faults, something differs, coverage is too low',
  2: 'the command line or a file cannot be read',
  3: 'Assay cannot be reached at ASSAY_URL',
  4: 'Assay refused the request: not signed in, no permission, not found, in conflict',
  5: 'the time of --timeout is over; the execution was cancelled',
  70: 'the command itself has a defect; what it shows is where',
  130: 'ended by Ctrl-C or SIGTERM; a run was cancelled',
}

/** Ends the command with a message and an exit code. */
export class CommandError extends Error {
  readonly exitCode: ExitCode
  /** Code of the product, such as NOT_FOUND. */
  readonly code: string | null

  constructor(exitCode: ExitCode, message: string, code: string | null = null) {
    super(message)
    this.exitCode = exitCode
    this.code = code
  }
}

export const usageError = (message: string) => new CommandError(EXIT.usage, message)
