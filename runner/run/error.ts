/** Why a run ended without a verdict. The code reaches clients; adding one is a contract change. */
export const RUN_ERROR_CODES = {
  TIMEOUT: 'a step or the scenario took longer than it may',
  CANCELLED: 'the execution was cancelled',
  SCRIPT_ERROR: "the component's code threw",
  SYNTAX_ERROR: "the component's source cannot be compiled",
  NO_SUCH_FUNCTION: 'the component exports no function of that name',
  FORBIDDEN: "the component's code asked for something the sandbox closes",
  RESULT_NOT_JSON: 'a function returned what JSON cannot carry',
  MEMORY_LIMIT: "the component's process, or a program, used more memory than it may",
  CPU_LIMIT: "the component's process used more processor time than it may",
  OUTPUT_LIMIT:
    'a process, or the execution, wrote more log text, failures or coverage than it may',
  STEP_LIMIT: 'the execution has more steps than it may',
  MESSAGE_LIMIT: 'an argument list or a result is larger than it may be',
  CRASHED: "the component's process ended by itself",
  EXPECTATION_TOO_SLOW: 'the expectations of a step took more time or memory than they may',
  TEMPLATE_LIMIT: 'the templates of a step insert more than they may',
  CAPTURE_LIMIT: 'the execution captured more than it may',
  UNKNOWN_NAME: 'a template names what is not there',
  INVALID_STEP: 'a step is not valid once its templates are filled in',
  NOTHING_CAPTURED: 'a capture selects nothing',
  RUNNER_OFF: 'the environment, or the operator, does not let steps of this kind run',
  HOST_NOT_ALLOWED: 'neither the environment nor the configuration lets steps reach this host',
  UNREACHABLE: 'a server gave no answer',
  INVALID_RESPONSE: 'a server answered what its protocol does not know',
  COMMAND_NOT_STARTED: 'a program cannot be started',
  REPORT_UNREADABLE: 'a report that a command was to write is missing or malformed',
  REPORTED_ERROR: 'a test that a command ran reported an error',
  SANDBOX_UNAVAILABLE: 'this machine cannot isolate code as the configuration asks',
} as const

export type RunErrorCode = keyof typeof RUN_ERROR_CODES

/** A technical end of a step: the step is ERROR. It never leaves `runScenario`, which turns it into an outcome. */
export class RunError extends Error {
  override name = 'RunError'
  readonly code: RunErrorCode

  constructor(code: RunErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
