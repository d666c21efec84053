import { RunError } from '../run/error.ts'
import type { ChildEnd } from './launcher.ts'

/** Why a sandboxed process ended by itself. Its error output is the engine's, unless native code takes over the process. */
export function exitReason({ code, signal, stderr, hasFlooded }: ChildEnd): RunError {
  if (hasFlooded) {
    return new RunError('OUTPUT_LIMIT', 'The component wrote more to the error output than it may')
  }
  if (/out of memory|heap limit|allocation failed/i.test(stderr)) {
    return new RunError('MEMORY_LIMIT', 'The component used more memory than it may')
  }
  if (/^walls: /m.test(stderr)) {
    const message = `The sandbox did not start: ${stderr.trim().split('\n', 1)[0]}`
    return new RunError('SANDBOX_UNAVAILABLE', message)
  }
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
  return new RunError('CRASHED', `The component's process ${how}`)
}
