import { Mutation, Query, Resolver } from 'type-graphql'
import type { DueRepository } from './due.repository.ts'

const SETTING = 'SCHEDULES is paused'

/** All schedules together. */
@Resolver()
export class SchedulesResolver {
  constructor(
    private readonly due: Pick<DueRepository, 'hold' | 'resume'>,
    /** SCHEDULES */
    private readonly isOn: boolean,
  ) {}

  @Query(() => String, {
    nullable: true,
    description:
      'Why no schedule runs: the setting `SCHEDULES`, or that the store was restored from a backup; null while they run.',
  })
  async schedulesPaused(): Promise<string | null> {
    return this.isOn ? this.due.hold() : SETTING
  }

  @Mutation(() => Boolean, {
    description:
      'Lets schedules run in a store that was restored from a backup. Returns whether they were held.',
  })
  resumeSchedules(): Promise<boolean> {
    return this.due.resume()
  }
}
