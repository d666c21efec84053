import { OwnTurns } from '../../../platform/load/load.ts'

test('each piece of work has a turn of the event loop to itself, and owners take turns', async () => {
  const turns = new OwnTurns()
  let turn = 0
  let next = setImmediate(function count() {
    turn++
    next = setImmediate(count)
  })
  const began: [string, number][] = []
  const work = async (owner: string) => {
    await turns.begin(owner)
    began.push([owner, turn])
  }
  await Promise.all(['many', 'many', 'many', 'one'].map(work))
  clearImmediate(next)
  expect(began.map(([owner]) => owner)).toEqual(['many', 'many', 'one', 'many'])
  expect(new Set(began.map(([, at]) => at)).size).toBe(began.length)
})
