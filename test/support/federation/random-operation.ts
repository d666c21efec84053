import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql'
import type { Json } from '../../../gateway/federation/executor/own.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface RandomOperation {
  query: string
  variables: Json
}

const MAX_DEPTH = 5
const MAX_FIELDS = 24
const IDS = ['u1', 'u3', 'm1', 'a1', 'none']

/**
 * A valid operation of random fields, arguments, aliases, fragments of every kind, `@skip` and `@include`.
 * @param neverRuledOut names of fields that no condition rules out @param kinds of which the schema may offer some
 */
export function randomOperation(
  schema: GraphQLSchema,
  random: SeededRandom,
  neverRuledOut: ReadonlySet<string> = new Set(),
  kinds: readonly OperationTypeNode[] = [OperationTypeNode.QUERY],
): RandomOperation {
  for (;;) {
    const operation = new Writer(schema, random, neverRuledOut).operation(kinds)
    if (validate(schema, parse(operation.query)).length === 0) return operation
  }
}

class Writer {
  #names = 0
  #fields = 0
  #fragments: string[] = []
  #definitions: string[] = []
  #variables: Json = {}
  #conditions = new Map([
    ['true', true],
    ['false', false],
  ])
  /** Fields so far that no condition may rule out. */
  #kept = 0

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly random: SeededRandom,
    private readonly neverRuledOut: ReadonlySet<string>,
  ) {}

  operation(kinds: readonly OperationTypeNode[]): RandomOperation {
    for (const name of ['b0', 'b1', 'b2']) {
      const given = this.random.chance(0.8)
      const value = this.random.chance(0.5)
      this.#conditions.set(`$${name}`, value)
      this.#definitions.push(given ? `$${name}: Boolean!` : `$${name}: Boolean = ${value}`)
      if (given) this.#variables[name] = value
    }
    const offered = kinds.filter((one) => this.schema.getRootType(one))
    const kind = offered.length > 1 ? this.random.pick(offered) : OperationTypeNode.QUERY
    const root = this.schema.getRootType(kind)
    if (!root) throw new Error('The schema has no query')
    // Validation refuses a variable that nothing uses.
    const uses = ['b0', 'b1', 'b2'].map((name) => `u${name}: __typename @include(if: $${name})`)
    const selection =
      kind === 'subscription'
        ? this.#event(root, uses.join(' '))
        : `${this.#selection(root, MAX_DEPTH)} ...Uses } fragment Uses on ${root.name} { ${uses.join(' ')}`
    return {
      query: `${kind} (${this.#definitions.join(', ')}) { ${selection} } ${this.#fragments.join(' ')}`,
      variables: this.#variables,
    }
  }

  /** One field, without a condition. */
  #event(root: GraphQLObjectType, uses: string): string {
    const field = this.random.pick(Object.values(root.getFields()))
    const below = this.#selection(getNamedType(field.type), MAX_DEPTH - 1)
    return `event: ${field.name}${this.#arguments(field)} { ${below} ${uses} }`
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    const parts: string[] = []
    for (let count = 1 + this.random.below(3); count > 0; count--) {
      const part = this.#part(type, depth)
      if (part) parts.push(part)
    }
    if (parts.length === 0 || this.random.chance(0.15)) parts.push('__typename')
    return parts.join(' ')
  }

  #part(type: GraphQLNamedType, depth: number): string | null {
    if (this.#fields < MAX_FIELDS && this.random.chance(0.2)) return this.#fragment(type, depth)
    if (isUnionType(type)) return this.#narrowed(type, depth)
    if (!isObjectType(type) && this.random.chance(0.5)) return this.#narrowed(type, depth)
    const fields =
      'getFields' in type
        ? (Object.values(type.getFields()) as GraphQLField<unknown, unknown>[])
        : []
    const deep = fields.filter((field) => isCompositeType(getNamedType(field.type)))
    const choice =
      depth > 0 && this.#fields++ < MAX_FIELDS
        ? deep.length > 0 && this.random.chance(0.5)
          ? deep
          : fields
        : fields.filter((field) => !deep.includes(field))
    if (choice.length === 0) return null
    const field = this.random.pick(choice)
    const below = getNamedType(field.type)
    const args = this.#arguments(field)
    const alias = this.random.chance(args ? 0.9 : 0.2) ? `a${this.#names++}: ` : ''
    const kept = this.#kept
    if (this.neverRuledOut.has(field.name)) this.#kept++
    const selection = isCompositeType(below) ? ` { ${this.#selection(below, depth - 1)} }` : ''
    return `${alias}${field.name}${args}${this.#condition(kept)}${selection}`
  }

  #fragment(type: GraphQLNamedType, depth: number): string {
    const kept = this.#kept
    const selection = this.#selection(type, depth)
    const kind = this.random.below(3)
    if (kind === 0) return `...${this.#condition(kept)} { ${selection} }`
    if (kind === 1) return `... on ${type.name}${this.#condition(kept)} { ${selection} }`
    const name = `F${this.#names++}`
    this.#fragments.push(`fragment ${name} on ${type.name} { ${selection} }`)
    return `...${name}${this.#condition(kept)}`
  }

  #narrowed(type: GraphQLNamedType, depth: number): string | null {
    if (!isCompositeType(type) || isObjectType(type)) return null
    const possible = this.schema.getPossibleTypes(type)
    if (possible.length === 0) return null
    const narrow = this.random.pick(possible)
    const kept = this.#kept
    const selection = this.#selection(narrow, depth)
    return `... on ${narrow.name}${this.#condition(kept)} { ${selection} }`
  }

  /** @param kept before what the condition is about */
  #condition(kept: number): string {
    if (!this.random.chance(0.15)) return ''
    const value = this.random.chance(0.8)
      ? `$b${this.random.below(3)}`
      : String(this.random.chance(0.5))
    const isSkip = this.random.chance(0.5)
    if (this.#kept > kept && this.#conditions.get(value) === isSkip) return ''
    return ` @${isSkip ? 'skip' : 'include'}(if: ${value})`
  }

  #arguments({ args }: GraphQLField<unknown, unknown>): string {
    const given = args
      .filter(
        (arg) =>
          (isNonNullType(arg.type) && arg.defaultValue === undefined) || this.random.chance(0.5),
      )
      .map((arg) => {
        const value = this.#value(arg.type)
        if (!this.random.chance(0.4)) return `${arg.name}: ${literal(value, arg.type)}`
        const name = `v${this.#names++}`
        this.#definitions.push(`$${name}: ${arg.type}`)
        this.#variables[name] = value
        return `${arg.name}: $${name}`
      })
    return given.length > 0 ? `(${given.join(', ')})` : ''
  }

  #value(type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return this.#value(type.ofType)
    if (isListType(type))
      return Array.from({ length: 1 + this.random.below(2) }, () => this.#value(type.ofType))
    if (isEnumType(type)) return this.random.pick(type.getValues()).name
    if (isInputObjectType(type))
      return Object.fromEntries(
        Object.values(type.getFields())
          .filter((field) => isNonNullType(field.type) || this.random.chance(0.5))
          .map((field) => [field.name, this.#value(field.type)]),
      )
    if (type.name === 'Int') return this.random.below(10)
    if (type.name === 'Float') return this.random.below(100) / 4
    if (type.name === 'Boolean') return this.random.chance(0.5)
    return this.random.pick(IDS)
  }
}

function literal(value: unknown, type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(value, type.ofType)
  if (isListType(type))
    return `[${(value as unknown[]).map((item) => literal(item, type.ofType)).join(', ')}]`
  if (isEnumType(type)) return String(value)
  if (isInputObjectType(type))
    return `{${Object.entries(value as Json)
      .map(
        ([key, item]) =>
          `${key}: ${literal(item, type.getFields()[key]?.type as GraphQLInputType)}`,
      )
      .join(', ')}}`
  return JSON.stringify(value)
}
