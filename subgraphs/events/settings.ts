import { readEnv } from '../../platform/settings/env.ts'
import {
  EVENTS_VARIABLES,
  type EventsSettings,
  eventsSettings,
} from '../../platform/settings/events-settings.ts'

export type { EventsSettings }

/** Default settings. */
export const DEFAULT_SETTINGS: EventsSettings = eventsSettings(readEnv({}, EVENTS_VARIABLES))
