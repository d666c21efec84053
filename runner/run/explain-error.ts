import type { CompiledComponent } from '../coverage/compile-component.ts'
import type { ChildError } from '../sandbox/child-message.ts'
import { RunError, type RunErrorCode } from './error.ts'

/** Codes of refusals, by those of errors of the harness and of Node. */
const REFUSALS: Record<string, RunErrorCode> = {
  ERR_FORBIDDEN: 'FORBIDDEN',
  ERR_ACCESS_DENIED: 'FORBIDDEN',
  ERR_NO_SUCH_FUNCTION: 'NO_SUCH_FUNCTION',
  ERR_NOT_JSON: 'RESULT_NOT_JSON',
  ERR_RESULT_SIZE: 'MESSAGE_LIMIT',
}

/** Memory outside the heap that the kernel did not grant: Buffers, WebAssembly. */
const OUT_OF_MEMORY = /Array buffer allocation failed|could not allocate memory/i

/** Turns an error that a component threw into the reason of a step: message and line of the user's source. */
export function explainError(
  { name, message, stack, code }: ChildError,
  component: { name: string; lineOf: CompiledComponent['lineOf'] },
): RunError {
  const refusal = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
  const line = throwingLine(stack, component.lineOf)
  const where = line === null ? '' : ` (${component.name}, line ${line})`
  if (refusal) return new RunError(refusal, `${message}${where}`)
  if (name === 'RangeError' && OUT_OF_MEMORY.test(message)) {
    return new RunError('MEMORY_LIMIT', `The component asked for more memory than it may${where}`)
  }
  const what = name ? `${name}: ${message}` : `Thrown: ${message}`
  return new RunError('SCRIPT_ERROR', `${what}${where}`)
}

function throwingLine(stack: string, lineOf: CompiledComponent['lineOf']): number | null {
  const [, line, column] = /component:under-test:(\d+):(\d+)/.exec(stack) ?? []
  return line && column ? lineOf(Number(line), Number(column)) : null
}
