import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { notFound } from '../../../formats/errors.ts'
import type { Context } from '../../../platform/access/caller.ts'
import type { EventService } from '../read/event.service.ts'
import { Event } from '../read/event.type.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { StatusService } from './status.service.ts'
import { EventStatusResult, SetEventStatusesInput, SetEventStatusInput } from './status.type.ts'

@Resolver(() => EventStatusResult)
export class StatusResolver {
  constructor(
    private readonly statuses: StatusService,
    private readonly events: EventService,
  ) {}

  @Mutation(() => Event, {
    description:
      'Acknowledges, closes, reopens or assigns an event, or comments on it, and records who did. NOT_FOUND for an unknown id.',
  })
  async setEventStatus(
    @Arg('input', () => SetEventStatusInput, { description: 'The event and its new status.' })
    { id, ...change }: SetEventStatusInput,
    @Ctx() { caller }: Context,
  ): Promise<StoredEvent> {
    const [result] = await this.statuses.set([id], change, caller)
    const event = result && (await this.event(result))
    if (!event) throw notFound('event', id)
    return event
  }

  @Mutation(() => [EventStatusResult], {
    description:
      'Acknowledges, closes, reopens or assigns several events in one transaction, or comments on them, and records who did. Unknown ids leave the others alone.',
  })
  setEventStatuses(
    @Arg('input', () => SetEventStatusesInput, { description: 'The events and their new status.' })
    { ids, ...change }: SetEventStatusesInput,
    @Ctx() { caller }: Context,
  ): Promise<EventStatusResult[]> {
    return this.statuses.set(ids, change, caller)
  }

  @FieldResolver(() => Event, {
    nullable: true,
    description: 'The event as it is now; null where no event has this id.',
  })
  async event(@Root() { storedId, outcome }: EventStatusResult): Promise<StoredEvent | undefined> {
    return outcome === 'NOT_FOUND' ? undefined : this.events.find(storedId)
  }
}
