import { GraphQLError, type GraphQLOutputType } from 'graphql'
import type { Json } from './own.ts'

/** One making of a response. */
export interface Shaping {
  variables: Json
  /** Values that do not fit the schema; each was replaced by null. */
  errors: GraphQLError[]
  path: (string | number)[]
}

/** Makes one value of the response out of what was gathered for it. */
export type Shaper = (value: unknown, shaping: Shaping) => unknown

/** Names a value in the message of a fault. */
export type ValueName = (path: Shaping['path'], type: GraphQLOutputType) => string

export const valueName =
  (typeName: string, fieldName: string): ValueName =>
  (path, type) =>
    typeof path.at(-1) === 'number'
      ? `array element of type ${type} at index ${path.at(-1)}`
      : `field ${typeName}.${fieldName}`

/** Notes that a value does not fit; null takes its place. */
export function invalid(shaping: Shaping, name: string, what = 'Invalid value found for'): null {
  fault(shaping, `${what} ${name}.`)
  return null
}

export function fault({ errors, path }: Shaping, message: string): void {
  errors.push(
    new GraphQLError(message, {
      path: [...path],
      extensions: { code: 'DOWNSTREAM_SERVICE_ERROR' },
    }),
  )
}
