import { FieldResolver, Resolver, Root } from 'type-graphql'
import type { ScheduleState } from '../../schedules/schedule-state.repository.ts'
import { runTimes } from '../../schedules/times.ts'
import { unattendedResolver } from '../unattended.resolver.ts'
import { SCHEDULE } from './schedule.kind.ts'
import { Schedule, ScheduleConnection, ScheduleInput } from './schedule.type.ts'

const SHOWN_RUNS = 3

@Resolver(() => Schedule)
export class ScheduleResolver extends unattendedResolver<ScheduleState>(SCHEDULE, {
  artifact: Schedule,
  connection: ScheduleConnection,
  attributes: ScheduleInput,
}) {
  @FieldResolver(() => [Date], {
    description: 'Its next three runs; none while it is not enabled.',
  })
  async nextRuns(@Root() schedule: Schedule): Promise<Date[]> {
    const { nextAt = null } = (await this.stateOf(schedule.id)) ?? {}
    const times = runTimes(schedule.id, schedule)
    const runs: Date[] = []
    for (let next = nextAt; next && runs.length < SHOWN_RUNS; next = times.after(next))
      runs.push(next)
    return runs
  }
}
