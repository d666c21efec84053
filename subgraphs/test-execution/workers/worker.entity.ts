import { defineEntity, p } from '@mikro-orm/core'
import type { WorkerSandbox } from './worker.type.ts'

export const WorkerEntity = defineEntity({
  name: 'Worker',
  tableName: 'worker',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    version: p.text(),
    slots: p.integer(),
    used: p.integer(),
    sandbox: p.json<WorkerSandbox>(),
    started: p.datetime(3),
    /** By the clock of the database. */
    lastSeen: p.datetime(3),
  },
})
