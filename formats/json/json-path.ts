import {
  FunctionExpressionType,
  JSONPathEnvironment,
  JSONPathNodeList,
  type JSONPathQuery,
  jsonpath,
  Nothing,
} from 'json-p3'

const { FilterSelector } = jsonpath.selectors
const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } =
  jsonpath.expressions

/** Results are bounded in their depth where they arise, so a path may descend to their end. */
const environment = new JSONPathEnvironment({ maxRecursionDepth: Number.POSITIVE_INFINITY })

// The library counts and orders UTF-16 units, RFC 9535 (2.4.4, 2.3.5.2.2) Unicode scalar values.
environment.functionRegister.set('length', {
  argTypes: [FunctionExpressionType.ValueType],
  returnType: FunctionExpressionType.ValueType,
  call(value: unknown) {
    if (typeof value === 'string') return [...value].length
    if (Array.isArray(value)) return value.length
    const isObject = typeof value === 'object' && value !== null
    return isObject ? Object.keys(value).length : Nothing
  },
})

// Its check of patterns knows no characters beyond U+FFFF: one with such a character matched nothing.
const BEYOND = /[\u{10000}-\u{10ffff}]/u
const { Match, Search } = jsonpath.functions
for (const [name, Kind] of [
  ['match', Match],
  ['search', Search],
] as const) {
  const [checked, unchecked] = [new Kind(), new Kind({ iRegexpCheck: false })]
  environment.functionRegister.set(name, {
    argTypes: checked.argTypes,
    returnType: checked.returnType,
    call: (text: string, pattern: string) =>
      (BEYOND.test(pattern) ? unchecked : checked).call(text, pattern),
  })
}

/** @throws an error that names the fault in the path */
export function compileJsonPath(path: string): JSONPathQuery {
  const query = environment.compile(path)
  // Filters alone compare.
  if (path.includes('?')) orderByScalars(query)
  return query
}

function orderByScalars({ segments }: JSONPathQuery): void {
  for (const { selectors } of segments)
    for (const selector of selectors)
      if (selector instanceof FilterSelector) orderIn(selector.expression)
}

function orderIn(expression: unknown): void {
  if (expression instanceof LogicalExpression) orderIn(expression.expression)
  if (expression instanceof PrefixExpression) orderIn(expression.right)
  if (expression instanceof FilterQuery) orderByScalars(expression.path)
  if (expression instanceof FunctionExtension) for (const each of expression.args) orderIn(each)
  if (!(expression instanceof InfixExpression)) return
  orderIn(expression.left)
  orderIn(expression.right)
  const order = ORDERS[expression.operator]
  if (!order) return
  const evaluate = expression.evaluate.bind(expression)
  expression.evaluate = (context) => {
    const left = singleOf(expression.left.evaluate(context))
    const right = singleOf(expression.right.evaluate(context))
    return typeof left === 'string' && typeof right === 'string'
      ? order(compareScalars(left, right))
      : evaluate(context)
  }
}

const ORDERS: Readonly<Record<string, (sign: number) => boolean>> = {
  '<': (sign) => sign < 0,
  '<=': (sign) => sign <= 0,
  '>': (sign) => sign > 0,
  '>=': (sign) => sign >= 0,
}

const singleOf = (value: unknown): unknown =>
  value instanceof JSONPathNodeList && value.length === 1 ? value.nodes[0]?.value : value

/** UTF-16 has what lies beyond U+FFFF before the last characters up to there. */
function compareScalars(left: string, right: string): number {
  const most = Math.min(left.length, right.length)
  let at = 0
  while (at < most && left.charCodeAt(at) === right.charCodeAt(at)) at++
  const sign = (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1)
  return Math.sign(sign)
}
