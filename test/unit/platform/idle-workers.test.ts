import { IdleWorkers } from '../../../platform/jobs/idle-workers.ts'

test('wake-ups reach idle workers in turns, and one that reaches none is remembered once', () => {
  const woken: string[] = []
  const idle = new IdleWorkers((worker) => void woken.push(worker))
  idle.add('letters', 'a')
  idle.add('letters', 'b')
  for (let time = 0; time < 3; time++) idle.wake('letters')
  expect(woken).toEqual(['a', 'b', 'a'])
  expect(idle.takeMissed('letters')).toBe(false)

  idle.remove('letters', 'a')
  idle.remove('letters', 'b')
  idle.wake('letters')
  idle.wake('letters')
  expect(woken).toHaveLength(3)
  expect(idle.takeMissed('parcels')).toBe(false)
  expect(['first', 'second'].map(() => idle.takeMissed('letters'))).toEqual([true, false])
})
