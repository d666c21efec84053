import { addError } from '../errors.ts'
import { isIncluded } from './conditions.ts'
import { getOwn } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import type { SelectedField } from './selection.ts'

/** Finds what the plan had no fetch for, and what a subgraph left out without a word. */
export function compileUnanswered(fields: ReadonlyMap<string, SelectedField>) {
  const fetched = [...fields].filter(([, { name }]) => name !== '__typename')
  return (run: PlanRun): void => {
    const { data, variables } = run
    for (const [key, { gatheredKey, conditions }] of fetched)
      if (getOwn(data, gatheredKey) === undefined && isIncluded(conditions, variables))
        addError(run, `No subgraph answers the field ${key}`, [key], {
          code: 'DOWNSTREAM_SERVICE_ERROR',
        })
  }
}
