import { RETENTION_VARIABLES, type Variables } from '../settings/variables.ts'

/** Settings of a worker, alone or inside of `npm start`. */
export const WORKER_VARIABLES = [
  'SANDBOX',
  'SANDBOX_READY',
  'SANDBOX_REUSE',
  'COMMAND_STEPS',
  'COMMAND_PROCESSES',
  'COMMAND_MEMORY_MIB',
  'ATTACHMENT_BYTES',
  'ATTACHMENTS_BYTES',
  ...RETENTION_VARIABLES,
  'WORKER_SLOTS',
  'EVALUATION_MS',
] as const

export type WorkerSettings = ReturnType<typeof workerSettings>

export const workerSettings = (values: Pick<Variables, (typeof WORKER_VARIABLES)[number]>) => ({
  /** Maximum number of executions at a time. */
  slots: values.WORKER_SLOTS,
  /** Number of sandboxed processes that are started in advance. */
  readySandboxes: values.SANDBOX_READY,
  /** True if executions of one component share a sandboxed process. */
  reuseSandboxes: values.SANDBOX_REUSE === 'on',
  /** Limits of a program that a `command` step starts. */
  programLimits: {
    processes: values.COMMAND_PROCESSES,
    memoryMebibytes: values.COMMAND_MEMORY_MIB,
  },
  /** Limits of files that steps attach. */
  attachmentLimits: {
    bytesOfOne: values.ATTACHMENT_BYTES,
    bytesOfAll: values.ATTACHMENTS_BYTES,
  },
  retention: {
    DETAILS_RETENTION_DAYS: values.DETAILS_RETENTION_DAYS,
    DETAILS_RETENTION_SCHEDULE: values.DETAILS_RETENTION_SCHEDULE,
    DETAILS_RETENTION_BATCH: values.DETAILS_RETENTION_BATCH,
  },
})
