import { hostname } from 'node:os'
import { v7 as uuidv7 } from 'uuid'
import type { Logger } from '../../../platform/process/logger.ts'
import { VERSION } from '../../../platform/process/version.ts'
import type { Reported, WorkerRepository } from './worker.repository.ts'

const REPORT_MS = 5_000

interface ReportOptions extends Pick<Reported, 'slots' | 'sandbox'> {
  repository: Pick<WorkerRepository, 'report' | 'remove'>
  /** Slots that run an execution. */
  used(): number
  log: Logger
}

/** Reports this worker to the database until it stops. A report that fails is made good by the next. */
export async function reportWorker({
  repository,
  used,
  log,
  ...worker
}: ReportOptions): Promise<{ stop(): Promise<void> }> {
  const self = {
    ...worker,
    id: uuidv7(),
    name: `${hostname()}:${process.pid}`,
    version: VERSION,
  }
  let reporting: Promise<unknown> = Promise.resolve()
  const report = () => {
    reporting = repository
      .report({ ...self, used: used() })
      .catch((err) => log.debug({ err }, 'The worker could not report its slots'))
  }
  report()
  await reporting
  const timer = setInterval(report, REPORT_MS)
  return {
    async stop() {
      clearInterval(timer)
      await reporting
      await repository.remove(self.id).catch(() => {}) // it counts as gone soon
    },
  }
}
