import type { CallbackState } from '../graph/generated.ts'

export const STATES: readonly CallbackState[] = ['PENDING', 'DELIVERED', 'DEAD', 'GIVEN_UP']

export const callbackSearch = ({ state }: Record<string, unknown>): { state?: CallbackState } => {
  const known = STATES.find((each) => each === state)
  return known ? { state: known } : {}
}
