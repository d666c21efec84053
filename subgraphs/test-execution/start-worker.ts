import { closeOrm, startOrm } from '../../platform/database/orm.ts'
import { ProcessMetrics } from '../../platform/metrics/process-metrics.ts'
import { watchPool } from '../../platform/metrics/shared-metrics.ts'
import type { Logger } from '../../platform/process/logger.ts'
import { type Releasers, withReleasers } from '../../platform/process/releasers.ts'
import { createSecrets } from '../../platform/secrets.ts'
import type { RetentionSettings } from '../../platform/settings/variables.ts'
import { type AttachmentLimits, DEFAULT_ATTACHMENT_LIMITS } from '../../runner/run/attachment.ts'
import { removeOldRunFolders } from '../../runner/run/folder.ts'
import {
  createSandbox,
  type Sandbox,
  type SandboxCapabilities,
  type SandboxMode,
} from '../../runner/sandbox/sandbox.ts'
import type { ProgramLimits } from '../../runner/sandbox/sandbox-limits.ts'
import { AttachmentRepository } from './attachments/attachment.repository.ts'
import { CallbackRepository } from './callbacks/callback.repository.ts'
import { createCallbackSigner } from './callbacks/callback.request.ts'
import { serveCallbacks } from './callbacks/callback.worker.ts'
import type { TestExecutionDeps } from './deps.ts'
import { RetentionRepository } from './executions/end/retention.repository.ts'
import { serveRetention } from './executions/end/retention.worker.ts'
import { ExecutionRepository } from './executions/execution.repository.ts'
import { serveExecutions } from './executions/run/execution.worker.ts'
import { executionMetrics } from './executions/run/execution-metrics.ts'
import { STORAGE } from './storage.ts'
import { reportWorker } from './workers/report-worker.ts'
import { WorkerRepository } from './workers/worker.repository.ts'

export interface CallbackSettings {
  /** CALLBACK_SIGNING_SECRET: `whsec_` and Base64. */
  signingSecret: string
  /** Milliseconds to wait after each failed attempt; as documented if absent. */
  schedule?: readonly number[]
  /** Time limit of a receiver; 10 000 if absent. */
  timeoutMs?: number
}

export interface WorkerOptions extends TestExecutionDeps {
  sandboxMode: SandboxMode
  /** Executions at a time. */
  slots: number
  /** Sandboxed processes that are started in advance. */
  readySandboxes: number
  /** SANDBOX_REUSE */
  reuseSandboxes: boolean
  /** COMMAND_PROCESSES, COMMAND_MEMORY_MIB; as documented if absent. */
  programLimits?: Partial<ProgramLimits>
  /** Files and folders with secrets of this process: programs do not see them. */
  secretPaths?: readonly string[]
  /** ATTACHMENT_BYTES, ATTACHMENTS_BYTES; as documented if absent. */
  attachmentLimits?: AttachmentLimits
  callbacks: CallbackSettings
  retention: RetentionSettings
}

const CALLBACKS = {
  name: 'assay_callbacks',
  help: 'Callbacks in the database that are not delivered, by state (pending, dead).',
  labels: ['state'],
}

/** Sandboxed processes are not started while everything else starts. */
const PREPARE_AFTER_MS = 1_000

export interface Worker {
  /** Isolation of the code of components on this machine. */
  sandbox: SandboxCapabilities
  stop(): Promise<void>
}

/** Runs accepted executions and delivers their callbacks until it is stopped. Stop the jobs first, so that running ones can end. */
export const startWorker = (options: WorkerOptions): Promise<Worker> =>
  withReleasers(async (releasers) => {
    const { databaseUrl, directUrl, sandboxMode, callbacks, retention, ...deps } = options
    const orm = await startOrm({
      url: databaseUrl,
      directUrl,
      ...STORAGE,
      poolSize: deps.slots + 2,
    })
    releasers.defer(() => closeOrm(orm))
    const metrics = deps.metrics ?? new ProcessMetrics()
    watchPool(metrics, 'worker', orm.em)
    const sandbox = await startSandbox(options, releasers)
    await removeLeftFolders(deps.log)
    const repository = new ExecutionRepository(orm.em, deps.jobs)
    const secrets = createSecrets(deps)
    const callbackRows = new CallbackRepository(orm.em, deps.jobs)
    metrics.watch(CALLBACKS, async () =>
      (await callbackRows.counts(['PENDING', 'DEAD'])).map(({ state, count }) => ({
        labels: { state: state.toLowerCase() },
        value: count,
      })),
    )
    await serveCallbacks({
      ...deps,
      ...callbacks,
      secrets,
      repository: callbackRows,
      find: (id) => repository.findWithMembers(id),
      sign: createCallbackSigner(callbacks.signingSecret),
    })
    await serveRetention(new RetentionRepository(orm.em), deps.jobs, retention, deps.log)
    const counts = executionMetrics(metrics, deps.slots, sandbox)
    const { attachmentLimits = DEFAULT_ATTACHMENT_LIMITS } = deps
    const attachments = new AttachmentRepository(orm.em)
    const running = { attachments, attachmentLimits, repository, secrets, sandbox, counts }
    await serveExecutions({ ...deps, ...running })
    const { mode, missing } = sandbox.capabilities
    const report = await reportWorker({
      repository: new WorkerRepository(orm.em),
      slots: deps.slots,
      used: counts.used,
      sandbox: { mode, missing },
      log: deps.log,
    })
    releasers.defer(() => report.stop())
    return { sandbox: sandbox.capabilities, stop: () => releasers.release() }
  })

async function startSandbox(options: WorkerOptions, releasers: Releasers): Promise<Sandbox> {
  const sandbox = await createSandbox({
    mode: options.sandboxMode,
    ready: options.readySandboxes,
    reuse: options.reuseSandboxes,
    programLimits: options.programLimits,
    hidden: options.secretPaths,
  })
  releasers.defer(() => sandbox.stop())
  const prepare = setTimeout(() => sandbox.prepare(), PREPARE_AFTER_MS)
  releasers.defer(() => clearTimeout(prepare))
  if (sandbox.capabilities.missing.length > 0)
    options.log.warn(sandbox.capabilities, 'Code is isolated less than it could be')
  return sandbox
}

async function removeLeftFolders(log: Logger): Promise<void> {
  const { removed, left } = await removeOldRunFolders()
  if (removed > 0) log.warn({ folders: removed }, 'Removed the folders of killed executions')
  for (const reason of left) log.warn({ reason }, 'Folder of a killed execution is left')
}
