import type { MigrationObject } from '@mikro-orm/postgresql'
import { CreateEvents } from './0001-create-events.ts'
import { Search } from './0002-search.ts'
import { SearchKeys } from './0003-search-keys.ts'
import { SearchRef } from './0004-search-ref.ts'
import { SearchNumbers } from './0005-search-numbers.ts'
import { Positions } from './0006-positions.ts'
import { EventChanges } from './0007-event-changes.ts'
import { StatusChangeAge } from './0008-status-change-age.ts'
import { StatusComments } from './0009-status-comments.ts'
import { ContentsOnce } from './0010-contents-once.ts'
import { ExecutionAge } from './0011-execution-age.ts'
import { ImportedEvents } from './0012-imported-events.ts'
import { EventContents } from './0013-event-contents.ts'
import { Notifications } from './0015-notifications.ts'
import { KnownOccurrences } from './0016-known-occurrences.ts'
import { CausedChanges } from './0017-caused-changes.ts'
import { Heartbeats } from './0018-heartbeats.ts'
import { Assignments } from './0019-assignments.ts'
import { AssigneeIndex } from './0020-assignee-index.ts'

/** In order. A name that has run is never changed. */
export const migrations: readonly MigrationObject[] = [
  { name: '0001-create-events', class: CreateEvents },
  { name: '0002-search', class: Search },
  { name: '0003-search-keys', class: SearchKeys },
  { name: '0004-search-ref', class: SearchRef },
  { name: '0005-search-numbers', class: SearchNumbers },
  { name: '0006-positions', class: Positions },
  { name: '0007-event-changes', class: EventChanges },
  { name: '0008-status-change-age', class: StatusChangeAge },
  { name: '0009-status-comments', class: StatusComments },
  { name: '0010-contents-once', class: ContentsOnce },
  { name: '0011-execution-age', class: ExecutionAge },
  { name: '0012-imported-events', class: ImportedEvents },
  { name: '0013-event-contents', class: EventContents },
  { name: '0015-notifications', class: Notifications },
  { name: '0016-known-occurrences', class: KnownOccurrences },
  { name: '0017-caused-changes', class: CausedChanges },
  { name: '0018-heartbeats', class: Heartbeats },
  { name: '0019-assignments', class: Assignments },
  { name: '0020-assignee-index', class: AssigneeIndex },
]
