import { ScheduleShare } from '../../../subgraphs/test-execution/schedules/share.ts'

test('schedules take what is left of their share, and are refused without any', async () => {
  const share = new ScheduleShare(async () => 7, 10)
  expect(await share.take(2)).toBe(2)
  expect(await share.take(5)).toBe(1)
  await expect(share.take(1)).rejects.toMatchObject({ code: 'OVERLOADED' })
  await expect(share.turn()).rejects.toThrow('10 executions of schedules wait for a worker')
})
