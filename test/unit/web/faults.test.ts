import { faultOf } from '../../../web/src/repository/forms/faults.ts'

test.each([
  ['maxParallel: it must be <= 100', 'maxParallel', 'it must be <= 100'],
  ['variables.a b: expected a name', 'variables', 'a b: expected a name'],
  ['secrets.0.value: expected 4', 'secrets', '0.value: expected 4'],
  ['scenario/steps/0: no such key', 'scenario', 'steps/0: no such key'],
  ['The name "x" is already taken', 'name', 'The name "x" is already taken'],
  ['Something else went wrong', '', 'Something else went wrong'],
])('%s stands at %s', (message, place, shown) => {
  expect(faultOf(message)).toEqual({ place, message: shown })
})
