import { Arg, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import { notFound } from '../../../formats/errors.ts'
import { Event } from '../read/event.type.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import { arrived } from './notification.service.ts'
import { HoldingSilence, SilencePreview } from './silenced.type.ts'
import type { Notifications } from './start.ts'

@Resolver(() => Event)
export class SilencedResolver {
  constructor(private readonly notifications: Pick<Notifications, 'silenced'>) {}

  @FieldResolver(() => [HoldingSilence], {
    description: 'Silences that keep notifications of it back now.',
  })
  async silences(@Root() { id }: StoredEvent): Promise<HoldingSilence[]> {
    return (await this.notifications.silenced.silencesOf(id)) ?? []
  }

  @Query(() => SilencePreview, {
    description: 'Open events that a stored silence matches now, whether it holds or not.',
  })
  async silencePreview(
    @Arg('id', () => ID, { description: 'The silence.' }) id: string,
  ): Promise<SilencePreview> {
    const find = async () => (await this.notifications.silenced.preview(id)) ?? null
    const found = await arrived(find)
    if (!found) throw notFound('silence', id)
    return found
  }
}
