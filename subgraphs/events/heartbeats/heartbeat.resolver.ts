import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, FieldResolver, Info, Mutation, Query, Resolver, Root } from 'type-graphql'
import { PageArgs } from '../../../platform/paging/page.args.ts'
import type { Connection } from '../../../platform/paging/page.ts'
import { counted } from '../../../platform/paging/selects-total.ts'
import type { StoredHeartbeat } from './heartbeat.entity.ts'
import type { HeartbeatService } from './heartbeat.service.ts'
import {
  Heartbeat,
  HeartbeatConnection,
  HeartbeatInput,
  HeartbeatState,
  RecordHeartbeatInput,
} from './heartbeat.type.ts'

@Resolver(() => Heartbeat)
export class HeartbeatResolver {
  constructor(private readonly heartbeats: HeartbeatService) {}

  @Query(() => HeartbeatConnection, { name: 'heartbeats', description: 'Heartbeats by name.' })
  page(
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<StoredHeartbeat>> {
    return this.heartbeats.page(counted(page, info))
  }

  @FieldResolver(() => HeartbeatState)
  state(@Root() { isMissing, isPaused }: StoredHeartbeat): keyof typeof HeartbeatState {
    if (isPaused) return 'PAUSED'
    return isMissing ? 'MISSING' : 'PRESENT'
  }

  @Mutation(() => Heartbeat, {
    description:
      'Takes a sign of life in. Where the next one does not follow in time, an event opens; the next one closes it.',
  })
  recordHeartbeat(
    @Arg('input', () => RecordHeartbeatInput, { description: 'The sign of life.' })
    { name, every }: RecordHeartbeatInput,
  ): Promise<StoredHeartbeat> {
    return this.heartbeats.record(name, every)
  }

  @Mutation(() => Heartbeat, { description: 'Stops watching a heartbeat, and closes its event.' })
  pauseHeartbeat(
    @Arg('input', () => HeartbeatInput, { description: 'The heartbeat.' }) { name }: HeartbeatInput,
  ): Promise<StoredHeartbeat> {
    return this.heartbeats.setPaused(name, true)
  }

  @Mutation(() => Heartbeat, {
    description:
      'Watches a paused heartbeat again: the next one is expected within its time from now.',
  })
  resumeHeartbeat(
    @Arg('input', () => HeartbeatInput, { description: 'The heartbeat.' }) { name }: HeartbeatInput,
  ): Promise<StoredHeartbeat> {
    return this.heartbeats.setPaused(name, false)
  }

  @Mutation(() => Heartbeat, {
    description: 'Deletes a heartbeat, and closes its event. Another one of this name is new.',
  })
  deleteHeartbeat(
    @Arg('input', () => HeartbeatInput, { description: 'The heartbeat.' }) { name }: HeartbeatInput,
  ): Promise<StoredHeartbeat> {
    return this.heartbeats.delete(name)
  }
}
