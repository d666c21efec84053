import { EVENTS_VARIABLES, eventsSettings } from '../../platform/settings/events-settings.ts'
import { runSubgraph } from '../../platform/subgraph/standalone.ts'
import { startEvents } from './index.ts'

runSubgraph({ name: 'events', port: 4002, reads: EVENTS_VARIABLES }, (shared, config) =>
  startEvents(shared, eventsSettings(config)),
)
