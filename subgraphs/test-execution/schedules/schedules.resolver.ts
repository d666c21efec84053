import { Mutation, Query, Resolver } from 'type-graphql'
import type { DueRepository } from './due.repository.ts'

/** All schedules and triggers together. */
@Resolver()
export class SchedulesResolver {
  constructor(
    private readonly due: Pick<DueRepository, 'resume'>,
    private readonly paused: () => Promise<string | null>,
  ) {}

  @Query(() => String, {
    nullable: true,
    description:
      'Why no schedule and no trigger runs: the setting `SCHEDULES`, or that the store was restored from a backup; null while they run.',
  })
  async schedulesPaused(): Promise<string | null> {
    return this.paused()
  }

  @Mutation(() => Boolean, {
    description:
      'Lets schedules and triggers run in a store that was restored from a backup. Returns whether they were held.',
  })
  resumeSchedules(): Promise<boolean> {
    return this.due.resume()
  }
}
