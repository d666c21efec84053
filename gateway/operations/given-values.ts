import {
  BREAK,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { getOwn, isObject, type Json } from '../federation/index.ts'

/** Values of arguments with the variables of one request. */
export class GivenValues {
  /** True once a variable was asked for: other variables may give another result. */
  wereAsked = false
  private readonly defaults: ReadonlyMap<string, ValueNode | undefined>

  constructor(
    { variableDefinitions = [] }: OperationDefinitionNode,
    private readonly variables: Json,
  ) {
    this.defaults = new Map(
      variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
    )
  }

  valueOf(value: ValueNode): unknown {
    if (holdsVariable(value)) this.wereAsked = true
    return valueFromASTUntyped(value, this.variables)
  }

  /** A number that is not negative; undefined for any other value. */
  sizeOf(value: ValueNode | undefined): number | undefined {
    if (value?.kind === Kind.INT) return Math.max(0, Number(value.value))
    if (value?.kind !== Kind.VARIABLE) return undefined
    const given = this.variable(value.name.value)
    if (typeof given === 'number') return Math.max(0, given)
    return given === undefined ? this.sizeOf(this.defaults.get(value.name.value)) : undefined
  }

  /** Length of a list; undefined for any other value. */
  lengthOf(value: ValueNode | undefined): number | undefined {
    if (value?.kind === Kind.LIST) return value.values.length
    if (value?.kind !== Kind.VARIABLE) return undefined
    const given = this.variable(value.name.value)
    if (Array.isArray(given)) return given.length
    return given === undefined ? this.lengthOf(this.defaults.get(value.name.value)) : undefined
  }

  /** The size within an input object. */
  sizeAt(value: ValueNode, [first, ...path]: readonly string[]): number | undefined {
    if (first === undefined) return this.sizeOf(value)
    if (value.kind === Kind.VARIABLE) {
      let given = this.variable(value.name.value)
      for (const step of [first, ...path]) given = isObject(given) ? getOwn(given, step) : undefined
      return typeof given === 'number' ? Math.max(0, given) : undefined
    }
    if (value.kind !== Kind.OBJECT) return undefined
    const field = value.fields.find(({ name }) => name.value === first)
    return field && this.sizeAt(field.value, path)
  }

  private variable(name: string): unknown {
    this.wereAsked = true
    return getOwn(this.variables, name)
  }
}

function holdsVariable(value: ValueNode): boolean {
  let found = false
  visit(value, {
    Variable() {
      found = true
      return BREAK
    },
  })
  return found
}
