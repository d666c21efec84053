import type { Orm } from '../../platform/database/orm.ts'
import { ReadBudget } from '../../platform/paging/read-budget.ts'
import type { HorizonRepository } from '../../platform/position/horizon.repository.ts'
import type { Releasers } from '../../platform/process/releasers.ts'
import type { SubgraphParts } from '../../platform/subgraph/build-subgraph.ts'
import type { HeartbeatRepository } from './heartbeats/heartbeat.repository.ts'
import { HeartbeatResolver } from './heartbeats/heartbeat.resolver.ts'
import { HeartbeatService } from './heartbeats/heartbeat.service.ts'
import { ImportRepository } from './ingestion/imported/import.repository.ts'
import { ImportResolver } from './ingestion/imported/import.resolver.ts'
import { ImportService } from './ingestion/imported/import.service.ts'
import { IngestionResolver } from './ingestion/ingestion.resolver.ts'
import {
  type IngestionCounts,
  IngestionService,
  type Store,
} from './ingestion/ingestion.service.ts'
import { StatusRepository } from './ingestion/status.repository.ts'
import { StatusResolver } from './ingestion/status.resolver.ts'
import { StatusService } from './ingestion/status.service.ts'
import type { WakeUps } from './ingestion/store.ts'
import { NotificationResolver } from './notifications/notification.resolver.ts'
import { SilencedResolver } from './notifications/silenced.resolver.ts'
import type { Notifications } from './notifications/start.ts'
import { references } from './read/event.reference.ts'
import { EventRepository } from './read/event.repository.ts'
import { EventResolver } from './read/event.resolver.ts'
import { EventService } from './read/event.service.ts'
import {
  ExecutionResultResolver,
  SuiteResolver,
  TestCaseResolver,
} from './read/execution.resolver.ts'
import { ExecutionEventRepository } from './read/execution-event.repository.ts'
import { HistogramRepository } from './read/histogram.repository.ts'
import { HistogramResolver } from './read/histogram.resolver.ts'
import { HistogramService } from './read/histogram.service.ts'
import { RawEventRepository } from './read/raw-event.repository.ts'
import { OccurrencesResolver, RawEventResolver } from './read/raw-event.resolver.ts'
import { StatisticsRepository } from './read/statistics.repository.ts'
import { StatisticsResolver } from './read/statistics.resolver.ts'
import { StatisticsService } from './read/statistics.service.ts'
import { StatusChangeRepository } from './read/status-change.repository.ts'
import { SuggestionRepository } from './read/suggestions/suggestion.repository.ts'
import { SuggestionResolver } from './read/suggestions/suggestion.resolver.ts'
import type { EventsSettings } from './settings.ts'
import { ChangeRepository } from './stream/change.repository.ts'
import { EventStreams, type StreamArgs } from './stream/event-streams.ts'
import { LowerCaseRepository } from './stream/lower-case.repository.ts'
import { StreamResolver } from './stream/stream.resolver.ts'

export interface Services {
  orm: Orm
  store: Store
  counts: IngestionCounts
  settings: EventsSettings
  wakeUps: WakeUps
  horizon: HorizonRepository
  /** Released at a stop. */
  releasers: Releasers
  notifications: Notifications
  heartbeats: HeartbeatRepository
}

/** Budget of reads for all subscribers, which count for none of them. */
const OF_NO_OPERATION = { spend() {} }

/** Everything that answers operations, on one database. */
export function createResolvers({
  orm,
  store,
  counts,
  settings,
  wakeUps,
  horizon,
  releasers,
  notifications,
  heartbeats,
}: Services): SubgraphParts {
  const budget = new ReadBudget(settings.pageBytes)
  const eventRows = new EventRepository(orm, settings, budget)
  const links = new ExecutionEventRepository(orm)
  const events = new EventService(eventRows, links, budget)
  const imports = new ImportService(new ImportRepository(orm), settings)
  const rawEvents = new RawEventRepository(orm, settings, budget)
  const streams = new EventStreams(
    new ChangeRepository(orm, horizon),
    new EventService(eventRows, links, OF_NO_OPERATION),
    new LowerCaseRepository(orm),
    wakeUps,
  )
  releasers.defer(() => streams.stop())
  const announce = () => {
    wakeUps.announce()
    notifications.notifier.wakeIfOn()
  }
  return {
    resolvers: [
      new IngestionResolver(new IngestionService(store, settings.strict, counts)),
      new ImportResolver(imports),
      new StatusResolver(
        new StatusService(new StatusRepository(orm, notifications.notifier), imports, { announce }),
        events,
      ),
      new EventResolver(events, imports, new StatusChangeRepository(orm)),
      new RawEventResolver(rawEvents, events),
      new OccurrencesResolver(rawEvents),
      new HistogramResolver(new HistogramService(new HistogramRepository(orm, settings))),
      new StatisticsResolver(new StatisticsService(new StatisticsRepository(orm, settings))),
      new SuggestionResolver(new SuggestionRepository(orm, settings)),
      new ExecutionResultResolver(events),
      new TestCaseResolver(events),
      new SuiteResolver(events),
      new StreamResolver(streams),
      new NotificationResolver(notifications),
      new SilencedResolver(notifications),
      new HeartbeatResolver(new HeartbeatService(heartbeats, settings.heartbeats)),
    ],
    streams: {
      eventReceived: (args: StreamArgs) => streams.open('raw', args),
      eventChanged: (args: StreamArgs) => streams.open('event', args),
    },
    references: references(events),
  }
}
