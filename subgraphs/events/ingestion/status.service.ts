import { randomUUID } from 'node:crypto'
import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { auditTarget } from '../../../platform/audit/audit.ts'
import { isUuid } from '../read/uuid.ts'
import type { WakeUps } from '../stream/wake-ups.ts'
import type { ImportService } from './imported/import.service.ts'
import { holdsJsonbTexts } from './jsonb-values.ts'
import type { StatusRepository } from './status.repository.ts'
import {
  type EventStatusResult,
  MAX_COMMENT_LENGTH,
  MAX_STATUS_EVENTS,
  type SetEventStatusInput,
} from './status.type.ts'

/** People acknowledge, close and reopen events. */
export class StatusService {
  constructor(
    private readonly statuses: StatusRepository,
    private readonly imports: Pick<ImportService, 'eventIdsOf'>,
    private readonly wakeUps: Pick<WakeUps, 'announce'>,
  ) {}

  /** @returns a result for each of the ids, in their order @throws AppError BAD_USER_INPUT */
  async set(
    ids: readonly string[],
    { status, comment: given }: Omit<SetEventStatusInput, 'id'>,
    { user }: Caller,
  ): Promise<EventStatusResult[]> {
    if (ids.length === 0 || ids.length > MAX_STATUS_EVENTS)
      throw new AppError('BAD_USER_INPUT', `ids: expected 1 to ${MAX_STATUS_EVENTS} events`)
    const comment = commentOf(given)
    if (ids.length > 1) auditTarget(ids.join(' ').slice(0, AUDITED_CHARACTERS))
    const imported = await this.imports.eventIdsOf(ids)
    const events = ids.map((eventId) => ({ eventId, storedId: imported.get(eventId) ?? eventId }))
    const changes = await this.statuses.set({
      eventIds: [...new Set(events.map(({ storedId }) => storedId).filter(isUuid))],
      status,
      comment,
      user: user ?? 'anonymous',
    })
    if ([...changes.values()].some(Boolean)) this.wakeUps.announce()
    return events.map((event) => ({
      ...{ id: randomUUID(), ...event, outcome: outcomeOf(changes.get(event.storedId)) },
    }))
  }
}

/** Characters of a target that the audit log keeps. */
const AUDITED_CHARACTERS = 255

function commentOf(given: string | null | undefined): string | null {
  const comment = given?.trim() || null
  if (comment && (comment.length > MAX_COMMENT_LENGTH || !holdsJsonbTexts(comment)))
    throw new AppError(
      'BAD_USER_INPUT',
      `comment: expected at most ${MAX_COMMENT_LENGTH} characters of Unicode text without NUL`,
    )
  return comment
}

const outcomeOf = (isChanged: boolean | undefined): EventStatusResult['outcome'] => {
  if (isChanged === undefined) return 'NOT_FOUND'
  return isChanged ? 'CHANGED' : 'UNCHANGED'
}
