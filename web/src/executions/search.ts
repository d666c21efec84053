import type { ExecutionResultFilter, ExecutionState, ExecutionType } from '../graph/generated.ts'

/** The filters of the list, as the address has them. */
export interface ExecutionSearch {
  state?: ExecutionState[]
  type?: ExecutionType
  context?: string
}

export const STATES: readonly ExecutionState[] = ['RUNNING', 'COMPLETED', 'FAILED', 'ERROR']

const isState = (value: unknown): value is ExecutionState => STATES.some((state) => state === value)

/** Addresses come from anywhere: what is unknown in them is left out. */
export function executionSearch(given: Record<string, unknown>): ExecutionSearch {
  const states = [given.state].flat().filter(isState)
  return {
    ...(states.length > 0 && { state: states }),
    ...((given.type === 'SUITE' || given.type === 'TEST') && { type: given.type }),
    ...(typeof given.context === 'string' && given.context !== '' && { context: given.context }),
  }
}

export const filterOf = ({ state, type, context }: ExecutionSearch): ExecutionResultFilter => ({
  states: state ?? null,
  type: type ?? null,
  contextId: context ?? null,
})

/** A running execution that waits for a worker looks different from one at work. */
export const stateOf = ({
  state,
  progress,
}: {
  state: string
  progress: { queuePosition: number | null }
}): string => (state === 'RUNNING' && progress.queuePosition !== null ? 'WAITING' : state)

export const nameOf = ({
  context,
  contextId,
}: {
  context: { name: string } | null
  contextId: string
}): string => context?.name ?? contextId
