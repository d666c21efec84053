import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import { notFound } from '../../../schema/errors.ts'
import type { Context } from '../../shared/caller.ts'
import type { EventService } from '../query/event.service.ts'
import { Event } from '../query/event.type.ts'
import { isUuid } from '../query/uuid.ts'
import type { WakeUps } from '../stream/wake-ups.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { StatusRepository } from './status.repository.ts'
import { SetEventStatusInput } from './status.type.ts'

@Resolver()
export class StatusResolver {
  readonly #statuses: StatusRepository
  readonly #events: EventService
  readonly #wakeUps: Pick<WakeUps, 'announce'>

  constructor(
    statuses: StatusRepository,
    events: EventService,
    wakeUps: Pick<WakeUps, 'announce'>,
  ) {
    this.#statuses = statuses
    this.#events = events
    this.#wakeUps = wakeUps
  }

  @Mutation(() => Event, {
    description:
      'Acknowledges, closes or reopens an event, and records who did. NOT_FOUND for an unknown id.',
  })
  async setEventStatus(
    @Arg('input', () => SetEventStatusInput, { description: 'The event and its new status.' })
    { id, status }: SetEventStatusInput,
    @Ctx() { caller }: Context,
  ): Promise<StoredEvent> {
    const user = caller.user ?? 'anonymous'
    const isKnown = isUuid(id) && (await this.#statuses.set({ eventId: id, status, user }))
    if (isKnown) this.#wakeUps.announce()
    const event = isKnown && (await this.#events.find(id))
    if (!event) throw notFound('event', id)
    return event
  }
}
