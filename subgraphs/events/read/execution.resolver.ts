import type { GraphQLResolveInfo } from 'graphql'
import { Args, FieldResolver, Info, Resolver, Root } from 'type-graphql'
import { PageArgs } from '../../../platform/paging/page.args.ts'
import type { Connection } from '../../../platform/paging/page.ts'
import { counted } from '../../../platform/paging/selects-total.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { EventService } from './event.service.ts'
import { Event, EventConnection } from './event.type.ts'
import { ExecutionResult, Suite, TestCase } from './execution.type.ts'

@Resolver(() => ExecutionResult)
export class ExecutionResultResolver {
  constructor(private readonly service: EventService) {}

  @FieldResolver(() => [Event], {
    nullable: true,
    description:
      'The events that its end was counted into; empty while it runs and for a moment after its end, null when events cannot be reached.',
  })
  events(@Root() { id }: ExecutionResult): Promise<StoredEvent[]> {
    return this.service.findOfExecution(id)
  }
}

/** Gives artifacts that can be executed the events of all their executions. */
function eventsOfContext(type: typeof TestCase | typeof Suite) {
  @Resolver(() => type)
  class ContextResolver {
    constructor(private readonly service: EventService) {}

    @FieldResolver(() => EventConnection, {
      nullable: true,
      description: 'Events that its executions caused; null when events cannot be reached.',
    })
    events(
      @Root() { id }: TestCase | Suite,
      @Args(() => PageArgs) page: PageArgs,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Connection<StoredEvent>> {
      return this.service.findPageOfContext(id, counted(page, info))
    }
  }
  return ContextResolver
}

export const TestCaseResolver = eventsOfContext(TestCase)
export const SuiteResolver = eventsOfContext(Suite)
