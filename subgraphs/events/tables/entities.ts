import { HeartbeatEntity, HeartbeatWatchEntity } from '../heartbeats/heartbeat.entity.ts'
import {
  ForwardedArtifactEntity,
  NotificationEntity,
  NotificationGroupEntity,
  NotificationMemberEntity,
  StateChangeEntity,
} from '../notifications/notification.entity.ts'
import { AnsweredRequestEntity } from './answered-request.entity.ts'
import { EventEntity } from './event.entity.ts'
import { EventMinuteEntity } from './event-minute.entity.ts'
import { ExecutionEventEntity } from './execution-event.entity.ts'
import { ImportedEventEntity } from './imported-event.entity.ts'
import { KnownOccurrenceEntity } from './known-occurrence.entity.ts'
import { RawEventEntity } from './raw-event.entity.ts'
import {
  EventNumberEntity,
  EventSearchEntity,
  EventSeenEntity,
  RawContentEntity,
  RawNumberEntity,
  RawPostingEntity,
  SearchPositionEntity,
} from './search.entity.ts'
import { StatusChangeEntity } from './status-change.entity.ts'

/** Every table of this subgraph. */
export const entities = [
  EventEntity,
  RawEventEntity,
  EventMinuteEntity,
  StatusChangeEntity,
  ExecutionEventEntity,
  ImportedEventEntity,
  AnsweredRequestEntity,
  KnownOccurrenceEntity,
  EventSearchEntity,
  EventNumberEntity,
  EventSeenEntity,
  RawContentEntity,
  RawNumberEntity,
  RawPostingEntity,
  SearchPositionEntity,
  ForwardedArtifactEntity,
  StateChangeEntity,
  NotificationGroupEntity,
  NotificationMemberEntity,
  NotificationEntity,
  HeartbeatEntity,
  HeartbeatWatchEntity,
]
