import { randomUUID } from 'node:crypto'
import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { isUuid } from '../read/uuid.ts'
import type { ImportService } from './imported/import.service.ts'
import { holdsJsonbTexts } from './jsonb-values.ts'
import type { StatusRepository } from './status.repository.ts'
import {
  type EventStatusResult,
  MAX_ASSIGNEE_LENGTH,
  MAX_COMMENT_LENGTH,
  MAX_STATUS_EVENTS,
  type SetEventStatusInput,
} from './status.type.ts'
import type { WakeUps } from './store.ts'

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
    { status = null, comment: given, assignee, ticket }: Omit<SetEventStatusInput, 'id'>,
    { user }: Caller,
  ): Promise<EventStatusResult[]> {
    if (ids.length === 0 || ids.length > MAX_STATUS_EVENTS)
      throw new AppError('BAD_USER_INPUT', `ids: expected 1 to ${MAX_STATUS_EVENTS} events`)
    const comment = textOf('comment', given, MAX_COMMENT_LENGTH)
    const set = {
      ...(assignee !== undefined && {
        assignee: textOf('assignee', assignee, MAX_ASSIGNEE_LENGTH),
      }),
      ...(ticket !== undefined && { ticket: textOf('ticket', ticket, MAX_COMMENT_LENGTH) }),
    }
    if (status === null && comment === null && Object.keys(set).length === 0)
      throw new AppError('BAD_USER_INPUT', 'expected a status, a comment, an assignee or a ticket')
    const imported = await this.imports.eventIdsOf(ids)
    const events = ids.map((eventId) => ({ eventId, storedId: imported.get(eventId) ?? eventId }))
    const changes = await this.statuses.set({
      eventIds: [...new Set(events.map(({ storedId }) => storedId).filter(isUuid))],
      ...set,
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

function textOf(attribute: string, given: string | null | undefined, most: number): string | null {
  const text = given?.trim() || null
  if (text && (text.length > most || !holdsJsonbTexts(text)))
    throw new AppError(
      'BAD_USER_INPUT',
      `${attribute}: expected at most ${most} characters of Unicode text without NUL`,
    )
  return text
}

const outcomeOf = (isChanged: boolean | undefined): EventStatusResult['outcome'] => {
  if (isChanged === undefined) return 'NOT_FOUND'
  return isChanged ? 'CHANGED' : 'UNCHANGED'
}
