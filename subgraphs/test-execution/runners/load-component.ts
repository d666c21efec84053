import { type Outcome, outcomeOf, type RunContext } from './run-context.ts'
import type { Step } from './step.ts'
import { kindNameOf, kindOf } from './step-settings.ts'

/** Loads the component under test where the steps are going to call it, so that none of them pays for it. */
export const loadComponent = (
  steps: readonly Step[],
  { components, planned, signal }: RunContext,
): Promise<Outcome> =>
  outcomeOf(async () => {
    const { component } = planned
    if (component && needsComponent(steps)) await components.load(component, signal)
    return { failures: [], fault: null }
  })

const needsComponent = (steps: readonly Step[]): boolean =>
  steps.some((step) => {
    const kind = kindOf(step)
    const settings = step[kindNameOf(step)] as never // its schema was checked
    return kind.needsComponent?.(settings) || needsComponent(kind.steps?.(settings) ?? [])
  })
