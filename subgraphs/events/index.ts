import { buildSubgraph, subgraphSdl } from '../shared/build-subgraph.ts'
import { EXECUTION_ENDED, type ExecutionEnded } from '../shared/execution-ended.ts'
import { startOrm } from '../shared/orm.ts'
import { withReleasers } from '../shared/releasers.ts'
import type { Subgraph, SubgraphDeps } from '../shared/subgraph.ts'
import { executionBatch } from './ingestion/execution-event.ts'
import { GroupCommit } from './ingestion/group-commit.ts'
import { IngestionResolver } from './ingestion/ingestion.resolver.ts'
import { IngestionService } from './ingestion/ingestion.service.ts'
import { IsolatingWriter } from './ingestion/isolating-writer.ts'
import { PersistentWriter } from './ingestion/persistent-writer.ts'
import { WriterRepository } from './ingestion/writer.repository.ts'
import { migrations } from './migrations/index.ts'
import { references } from './query/event.reference.ts'
import { EventRepository } from './query/event.repository.ts'
import { EventResolver } from './query/event.resolver.ts'
import { EventService } from './query/event.service.ts'
import {
  ExecutionResultResolver,
  SuiteResolver,
  TestCaseResolver,
} from './query/execution.resolver.ts'
import { ExecutionEventRepository } from './query/execution-event.repository.ts'
import { DEFAULT_SETTINGS, type EventsSettings } from './settings.ts'
import { entities } from './tables/entities.ts'
import { PartitionRepository } from './tables/partition.repository.ts'

interface Services {
  events: EventService
  ingestion: IngestionService
}

const resolversOf = ({ events, ingestion }: Services) => [
  new IngestionResolver(ingestion),
  new EventResolver(events),
  new ExecutionResultResolver(events),
  new TestCaseResolver(events),
  new SuiteResolver(events),
]

/** What this subgraph publishes of itself. Resolvers are only looked at, so they need no services. */
export const eventsSdl = (): Promise<string> => subgraphSdl(resolversOf({} as Services))

/** The events subgraph: ingestion, de-duplication and reading, and the events of ended executions. */
export const startEvents = (
  { databaseUrl, jobs }: SubgraphDeps,
  given: Partial<EventsSettings> = {},
): Promise<Subgraph> =>
  withReleasers(async (releasers) => {
    const settings = { ...DEFAULT_SETTINGS, ...given }
    const orm = await startOrm({ url: databaseUrl, schema: 'events', entities, migrations })
    releasers.defer(() => orm.close())

    await new PartitionRepository(orm).ensure(new Date())
    const writer = new WriterRepository(orm)
    const isolating = new IsolatingWriter(new PersistentWriter(writer), writer)
    const store = new GroupCommit((batches) => isolating.write(batches))
    releasers.defer(() => store.stop())
    await jobs.work<ExecutionEnded>(EXECUTION_ENDED, 1, async ({ data }) => {
      await store.submit(executionBatch(data, new Date()))
    })

    const events = new EventService(new EventRepository(orm), new ExecutionEventRepository(orm))
    const schema = await buildSubgraph({
      resolvers: resolversOf({ events, ingestion: new IngestionService(store, settings.strict) }),
      references: references(events),
    })
    return { schema, stop: () => releasers.release() }
  })
