import { ArtifactEntity } from './artifacts/artifact.entity.ts'
import { CallbackDeliveryEntity } from './callbacks/callback-delivery.entity.ts'
import { ExecutionEntity, ExecutionUpdateEntity } from './executions/execution.entity.ts'
import { Migration001Initial } from './migrations/migration-001-initial.ts'
import { Migration002Callbacks } from './migrations/migration-002-callbacks.ts'
import { Migration003ArtifactLists } from './migrations/migration-003-artifact-lists.ts'

/** The tables of this subgraph. */
export const STORAGE = {
  schema: 'test_execution',
  entities: [ArtifactEntity, ExecutionEntity, ExecutionUpdateEntity, CallbackDeliveryEntity],
  migrations: [
    { name: 'migration-001-initial', class: Migration001Initial },
    { name: 'migration-002-callbacks', class: Migration002Callbacks },
    { name: 'migration-003-artifact-lists', class: Migration003ArtifactLists },
  ],
} as const
