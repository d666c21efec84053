import { placesOf } from '../../../web/src/executions/places.ts'

test('lines of a tree are counted among their siblings', () => {
  // a, a/b, a/b/c, a/d, e, e/f
  const places = placesOf([0, 1, 2, 1, 0, 1].map((depth) => ({ depth })))
  expect(places.map(({ position, siblings }) => [position, siblings.count])).toEqual([
    [1, 2],
    [1, 2],
    [1, 1],
    [2, 2],
    [2, 2],
    [1, 1],
  ])
})

test('no lines have no places', () => {
  expect(placesOf([])).toEqual([])
})
