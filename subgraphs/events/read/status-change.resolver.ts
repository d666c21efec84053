import { Args, FieldResolver, Resolver, Root } from 'type-graphql'
import { PageArgs } from '../../platform/paging/page.args.ts'
import { type Connection, readPage } from '../../platform/paging/page.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { StoredStatusChange } from '../tables/status-change.entity.ts'
import { Event } from './event.type.ts'
import { isStatusChangeKey, type StatusChangeRepository } from './status-change.repository.ts'
import { StatusChangeConnection } from './status-change.type.ts'

@Resolver(() => Event)
export class StatusChangeResolver {
  constructor(private readonly changes: StatusChangeRepository) {}

  @FieldResolver(() => StatusChangeConnection, {
    description: 'How its status changed since it happened first, the latest change first.',
  })
  statusHistory(
    @Root() { id }: StoredEvent,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<StoredStatusChange>> {
    return this.changes.findPage(id, readPage(page, isStatusChangeKey))
  }
}
