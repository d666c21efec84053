import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, FieldResolver, Info, Mutation, Query, Resolver, Root } from 'type-graphql'
import { PageArgs } from '../../../platform/paging/page.args.ts'
import type { Connection } from '../../../platform/paging/page.ts'
import { counted } from '../../../platform/paging/selects-total.ts'
import type { Execution } from '../executions/execution.entity.ts'
import type { ExecutionService } from '../executions/execution.service.ts'
import { ExecutionResult } from '../executions/execution.type.ts'
import type { CallbackService } from './callback.service.ts'
import type * as domain from './callback.ts'
import {
  CallbackDelivery,
  CallbackDeliveryConnection,
  CallbackDeliveryFilter,
  RedeliverCallbackInput,
} from './callback.type.ts'

/** Callbacks of all executions, and those of one. */
@Resolver(() => ExecutionResult)
export class CallbackResolver {
  constructor(private readonly callbacks: CallbackService) {}

  @Query(() => CallbackDeliveryConnection, {
    description:
      'Deliveries of callbacks, newest first; those in state DEAD wait for `redeliverCallback`.',
  })
  callbackDeliveries(
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
    @Arg('filter', () => CallbackDeliveryFilter, {
      nullable: true,
      description: 'Which of them; all if absent.',
    })
    filter?: CallbackDeliveryFilter | null,
  ): Promise<Connection<domain.CallbackDelivery>> {
    return this.callbacks.page(counted(page, info), filter?.state ?? null)
  }

  @Mutation(() => CallbackDelivery, {
    description:
      'Begins the attempts of a callback anew, with the same `webhook-id`. CONFLICT while it is PENDING.',
  })
  redeliverCallback(
    @Arg('input', () => RedeliverCallbackInput, { description: 'The delivery.' })
    { id }: RedeliverCallbackInput,
  ): Promise<domain.CallbackDelivery> {
    return this.callbacks.redeliver(id)
  }

  @FieldResolver(() => [CallbackDelivery], {
    name: 'callbackDeliveries',
    description: 'What became of its callback; empty while it runs and without a callback URL.',
  })
  ofExecution(@Root() { id }: Execution): Promise<domain.CallbackDelivery[]> {
    return this.callbacks.ofExecution(id)
  }
}

/** Parts of a delivery that people may read, and the way back to its execution. */
@Resolver(() => CallbackDelivery)
export class CallbackDeliveryResolver {
  constructor(
    private readonly executions: ExecutionService,
    private readonly callbacks: CallbackService,
  ) {}

  @FieldResolver()
  url(@Root() delivery: domain.CallbackDelivery): string {
    return this.callbacks.shownUrl(delivery)
  }

  @FieldResolver(() => ExecutionResult, { description: 'The execution whose end it reports.' })
  execution(@Root() { executionId }: domain.CallbackDelivery): Promise<Execution> {
    return this.executions.get(executionId)
  }
}
