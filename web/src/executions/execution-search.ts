export const TABS = [
  { name: 'details', title: 'Details' },
  { name: 'log', title: 'Log' },
  { name: 'coverage', title: 'Coverage' },
  { name: 'reports', title: 'Reports' },
  { name: 'events', title: 'Events' },
  { name: 'callbacks', title: 'Callbacks' },
] as const

type ExecutionTab = (typeof TABS)[number]['name']

/** Choice in an execution, as the address has it. */
export interface ExecutionView {
  step?: string
  tab?: ExecutionTab
  /** Whose log lines; those of the scenario if absent. */
  lines?: LogOf
  /** Another execution, whose coverage is the one to compare with. */
  base?: string
  /** Steps that the tree shows; all if absent. */
  only?: 'failed'
}

/** `all` are those of the execution itself, which of a suite are its own. */
export type LogOf = 'all' | 'step'

export function executionView({
  step,
  tab,
  lines,
  base,
  only,
}: Record<string, unknown>): ExecutionView {
  const name = TABS.find((each) => each.name === tab)?.name
  return {
    ...(typeof step === 'string' && { step }),
    ...(name && name !== 'details' && { tab: name }),
    ...((lines === 'step' || lines === 'all') && { lines }),
    ...(typeof base === 'string' && { base }),
    ...(only === 'failed' && { only }),
  }
}
