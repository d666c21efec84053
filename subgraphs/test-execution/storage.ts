import { ArtifactEntity } from './artifacts/artifact.entity.ts'
import { ArtifactRevisionEntity } from './artifacts/revisions/artifact-revision.entity.ts'
import { AttachmentContentEntity, AttachmentEntity } from './attachments/attachment.entity.ts'
import { CallbackDeliveryEntity } from './callbacks/callback-delivery.entity.ts'
import { ExecutionKeyEntity } from './executions/accept/execution-key.entity.ts'
import { FailureVerdictEntity } from './executions/causes/failure-verdict.entity.ts'
import {
  ExecutionEntity,
  ExecutionUpdateEntity,
  SuiteMemberEntity,
} from './executions/execution.entity.ts'
import { ComponentSuiteEntity } from './executions/suite/component-suite.entity.ts'
import { Migration001Initial } from './migrations/migration-001-initial.ts'
import { Migration002Callbacks } from './migrations/migration-002-callbacks.ts'
import { Migration003ArtifactLists } from './migrations/migration-003-artifact-lists.ts'
import { Migration004Suites } from './migrations/migration-004-suites.ts'
import { Migration005DetailsRetention } from './migrations/migration-005-details-retention.ts'
import { Migration006OpenResults } from './migrations/migration-006-open-results.ts'
import { Migration007RerunAfterCrash } from './migrations/migration-007-rerun-after-crash.ts'
import { Migration008SealedCallbacks } from './migrations/migration-008-sealed-callbacks.ts'
import { Migration009StateChanges } from './migrations/migration-009-state-changes.ts'
import { Migration010Positions } from './migrations/migration-010-positions.ts'
import { Migration011ArtifactSets } from './migrations/migration-011-artifact-sets.ts'
import { Migration012ExecutionKeys } from './migrations/migration-012-execution-keys.ts'
import { Migration013ExecutionFields } from './migrations/migration-013-execution-fields.ts'
import { Migration014SuiteRules } from './migrations/migration-014-suite-rules.ts'
import { Migration015ArtifactRevisions } from './migrations/migration-015-artifact-revisions.ts'
import { Migration016Workers } from './migrations/migration-016-workers.ts'
import { Migration017SuiteLanes } from './migrations/migration-017-suite-lanes.ts'
import { Migration018ReadableResults } from './migrations/migration-018-readable-results.ts'
import { Migration019Origins } from './migrations/migration-019-origins.ts'
import { Migration020Schedules } from './migrations/migration-020-schedules.ts'
import { Migration021Causes } from './migrations/migration-021-causes.ts'
import { Migration022RevisionUsers } from './migrations/migration-022-revision-users.ts'
import { Migration023Triggers } from './migrations/migration-023-triggers.ts'
import { Migration026SkippedRuns } from './migrations/migration-026-skipped-runs.ts'
import { Migration027RevisionIndex } from './migrations/migration-027-revision-index.ts'
import { ScheduleHoldEntity, ScheduleStateEntity } from './schedules/schedule-state.entity.ts'
import { TriggerStartEntity, TriggerStateEntity } from './triggers/trigger-state.entity.ts'
import { WorkerEntity } from './workers/worker.entity.ts'

/** The tables of this subgraph. */
export const STORAGE = {
  schema: 'test_execution',
  entities: [
    ArtifactEntity,
    ArtifactRevisionEntity,
    ExecutionEntity,
    ExecutionUpdateEntity,
    SuiteMemberEntity,
    ExecutionKeyEntity,
    ComponentSuiteEntity,
    CallbackDeliveryEntity,
    AttachmentEntity,
    AttachmentContentEntity,
    WorkerEntity,
    FailureVerdictEntity,
    ScheduleStateEntity,
    ScheduleHoldEntity,
    TriggerStateEntity,
    TriggerStartEntity,
  ],
  migrations: [
    { name: 'migration-001-initial', class: Migration001Initial },
    { name: 'migration-002-callbacks', class: Migration002Callbacks },
    { name: 'migration-003-artifact-lists', class: Migration003ArtifactLists },
    { name: 'migration-004-suites', class: Migration004Suites },
    { name: 'migration-005-details-retention', class: Migration005DetailsRetention },
    { name: 'migration-006-open-results', class: Migration006OpenResults },
    { name: 'migration-007-rerun-after-crash', class: Migration007RerunAfterCrash },
    { name: 'migration-008-sealed-callbacks', class: Migration008SealedCallbacks },
    { name: 'migration-009-state-changes', class: Migration009StateChanges },
    { name: 'migration-010-positions', class: Migration010Positions },
    { name: 'migration-011-artifact-sets', class: Migration011ArtifactSets },
    { name: 'migration-012-execution-keys', class: Migration012ExecutionKeys },
    { name: 'migration-013-execution-fields', class: Migration013ExecutionFields },
    { name: 'migration-014-suite-rules', class: Migration014SuiteRules },
    { name: 'migration-015-artifact-revisions', class: Migration015ArtifactRevisions },
    { name: 'migration-016-workers', class: Migration016Workers },
    { name: 'migration-017-suite-lanes', class: Migration017SuiteLanes },
    { name: 'migration-018-readable-results', class: Migration018ReadableResults },
    { name: 'migration-019-origins', class: Migration019Origins },
    { name: 'migration-020-schedules', class: Migration020Schedules },
    { name: 'migration-021-causes', class: Migration021Causes },
    { name: 'migration-022-revision-users', class: Migration022RevisionUsers },
    { name: 'migration-023-triggers', class: Migration023Triggers },
    { name: 'migration-026-skipped-runs', class: Migration026SkippedRuns },
    { name: 'migration-027-revision-index', class: Migration027RevisionIndex },
  ],
  renamedMigrations: {
    'migration-011-execution-keys': 'migration-012-execution-keys',
    'migration-016-artifact-revisions': 'migration-015-artifact-revisions',
    'migration-017-workers': 'migration-016-workers',
    'migration-018-suite-lanes': 'migration-017-suite-lanes',
  },
} as const
