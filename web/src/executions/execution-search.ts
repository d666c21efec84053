const NAMES = ['details', 'log', 'coverage', 'reports', 'events', 'callbacks'] as const

export type ExecutionTab = (typeof NAMES)[number]

/** What is chosen in an execution, as the address has it. */
export interface ExecutionView {
  step?: string
  tab?: ExecutionTab
}

export function executionView({ step, tab }: Record<string, unknown>): ExecutionView {
  const name = NAMES.find((each) => each === tab)
  return {
    ...(typeof step === 'string' && { step }),
    ...(name && name !== 'details' && { tab: name }),
  }
}
