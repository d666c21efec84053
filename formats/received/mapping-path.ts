import { type JSONPathQuery, jsonpath } from 'json-p3'
import { compileJsonPath } from '../json/json-path.ts'

const { FilterSelector, IndexSelector, NameSelector } = jsonpath.selectors
const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } =
  jsonpath.expressions

/** All values that a path selects. */
export type SelectValues = (value: unknown) => readonly unknown[]

/**
 * Compiles a path whose cost is bounded by the size of what it is applied to, as senders choose that.
 * @throws Error that names the fault
 */
export function compileMappingPath(path: string): SelectValues {
  const query = compileJsonPath(path)
  checkCost(query)
  const steps = query.segments.map(({ selectors: [selector] }) => stepOf(selector))
  // Most paths lead to one value; for those the library costs most of a mapping.
  if (steps.every((step) => step !== undefined)) return (value) => memberAt(value, steps)
  return (value) => query.query(value as Parameters<JSONPathQuery['query']>[0]).values() // parsed JSON
}

const stepOf = (selector: unknown): string | number | undefined =>
  selector instanceof NameSelector
    ? selector.name
    : selector instanceof IndexSelector
      ? selector.index
      : undefined

function memberAt(value: unknown, steps: readonly (string | number)[]): readonly unknown[] {
  let found = value
  for (const step of steps) {
    if (typeof step === 'number' && Array.isArray(found)) found = found.at(step)
    else if (typeof step === 'string' && isObject(found) && Object.hasOwn(found, step))
      found = found[step]
    else return []
  }
  return found === undefined ? [] : [found]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checkCost({ segments }: JSONPathQuery, isWithinFilter = false): void {
  for (const segment of segments) {
    if (segment.toString().startsWith('..')) throw new Error('.. is not supported here')
    if (segment.selectors.length > 1) throw new Error('a list of selectors is not supported here')
    const [selector] = segment.selectors
    if (isWithinFilter && stepOf(selector) === undefined)
      throw new Error('only names and positions are supported within a filter')
    if (selector instanceof FilterSelector) checkFilter(selector.expression)
  }
}

function checkFilter(expression: unknown): void {
  if (expression instanceof LogicalExpression) checkFilter(expression.expression)
  if (expression instanceof PrefixExpression) checkFilter(expression.right)
  if (expression instanceof FilterQuery) checkCost(expression.path, true)
  if (expression instanceof InfixExpression) {
    checkFilter(expression.left)
    checkFilter(expression.right)
  }
  if (!(expression instanceof FunctionExtension)) return
  if (expression.name === 'match' || expression.name === 'search')
    throw new Error(`${expression.name}() is not supported here`)
  for (const each of expression.args) checkFilter(each)
}
