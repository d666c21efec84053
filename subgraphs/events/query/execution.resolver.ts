import { Args, FieldResolver, Resolver, Root } from 'type-graphql'
import { PageArgs } from '../../shared/paging/page.args.ts'
import type { Connection } from '../../shared/paging/page.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { EventService } from './event.service.ts'
import { Event, EventConnection } from './event.type.ts'
import { ExecutionResult, Suite, TestCase } from './execution.type.ts'

@Resolver(() => ExecutionResult)
export class ExecutionResultResolver {
  readonly #events: EventService

  constructor(events: EventService) {
    this.#events = events
  }

  @FieldResolver(() => [Event], {
    nullable: true,
    description:
      'The events that its end was counted into; empty while it runs, null when events cannot be reached.',
  })
  events(@Root() { id }: ExecutionResult): Promise<StoredEvent[]> {
    return this.#events.findOfExecution(id)
  }
}

@Resolver(() => TestCase)
export class TestCaseResolver {
  readonly #events: EventService

  constructor(events: EventService) {
    this.#events = events
  }

  @FieldResolver(() => EventConnection, {
    nullable: true,
    description: 'Events that its executions caused; null when events cannot be reached.',
  })
  events(
    @Root() { id }: TestCase,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<StoredEvent>> {
    return this.#events.findPageOfContext(id, page)
  }
}

@Resolver(() => Suite)
export class SuiteResolver {
  readonly #events: EventService

  constructor(events: EventService) {
    this.#events = events
  }

  @FieldResolver(() => EventConnection, {
    nullable: true,
    description: 'Events that its executions caused; null when events cannot be reached.',
  })
  events(
    @Root() { id }: Suite,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<StoredEvent>> {
    return this.#events.findPageOfContext(id, page)
  }
}
