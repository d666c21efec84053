import {
  RETENTION_VARIABLES,
  type RetentionSettings,
  type Variables,
} from '../settings/variables.ts'

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

export interface WorkerSettings {
  /** Maximum number of executions at a time. */
  slots: number
  /** Number of sandboxed processes that are started in advance. */
  readySandboxes: number
  /** Whether executions of one component share a sandboxed process. */
  reuseSandboxes: boolean
  /** Limits of a program that a `command` step starts. */
  programLimits: { processes: number; memoryMebibytes: number }
  /** Limits of files that steps attach. */
  attachmentLimits: { bytesOfOne: number; bytesOfAll: number }
  retention: RetentionSettings
}

export const workerSettings = (
  values: Pick<Variables, (typeof WORKER_VARIABLES)[number]>,
): WorkerSettings => ({
  slots: values.WORKER_SLOTS,
  readySandboxes: values.SANDBOX_READY,
  reuseSandboxes: values.SANDBOX_REUSE === 'on',
  programLimits: {
    processes: values.COMMAND_PROCESSES,
    memoryMebibytes: values.COMMAND_MEMORY_MIB,
  },
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
