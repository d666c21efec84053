import vm from 'node:vm'
import { RunError } from '../run-error.ts'

/** Generous, because a busy machine must not turn a verdict into an error; yet nothing else runs meanwhile. */
const MAX_MS = 500
const context = vm.createContext(Object.create(null))
const script = new vm.Script('run()')

/**
 * Runs a synchronous function that may take for ever (a regular expression that backtracks, a path that selects too
 * much) and stops it. Costs 0.1 ms.
 * @throws RunError EXPECTATION_TOO_SLOW
 */
export function withinTime<Result>(run: () => Result): Result {
  const held: { result?: Result } = {}
  context.run = () => {
    held.result = run()
  }
  try {
    script.runInContext(context, { timeout: MAX_MS })
    return held.result as Result // set by the line above
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw new RunError(
      'EXPECTATION_TOO_SLOW',
      `An expectation was not evaluated within ${MAX_MS} ms`,
    )
  } finally {
    context.run = undefined
  }
}

const isTimeout = (error: unknown) =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
