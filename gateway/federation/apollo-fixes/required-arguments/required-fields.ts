import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'graphql'
import { knownKeyOf, requiredKeyOf } from '../../planning/response-key.ts'
import { argumentOf } from '../../supergraph/join-directive.ts'
import { type Composite, parseFieldSet, selectionsOf } from './field-set.ts'
import { type Keys, keysOf } from './key-fields.ts'

/** Key of a required field → the arguments that it is required with. */
export type RequiredArguments = ReadonlyMap<string, readonly ArgumentNode[]>

export interface RequiredFields {
  supergraph: DocumentNode
  arguments: RequiredArguments
  /** `GRAPH.Type.field` → what it requires of the type, at the keys where that is gathered. */
  requirements: ReadonlyMap<string, readonly QueryPlanSelectionNode[]>
  keys: Keys
  /** `GRAPH.Type.field` of fields that a subgraph names and does not resolve. */
  externals: ReadonlySet<string>
  /** Subgraphs that resolve some of those on certain paths. */
  providers: ReadonlySet<string>
}

/**
 * The planner gathers a required field with arguments at the key that the same field has with other arguments. So each
 * such field becomes, for planning, a field of its own without arguments: `price(currency: "EUR")` in a field set of
 * `requires` becomes `_r06eb3771_price`, and every type with a field `price` gets one of that name.
 */
export function withRequiredFields(supergraph: DocumentNode): RequiredFields {
  const required = new Map<string, readonly ArgumentNode[]>()
  const requirements = new Map<string, readonly QueryPlanSelectionNode[]>()
  const externals = new Set<string>()
  const providers = new Set<string>()
  const fieldOf = (owner: string, node: FieldDefinitionNode): FieldDefinitionNode => ({
    ...node,
    directives: node.directives?.map((directive) => {
      const graph = argumentOf(directive, 'graph') ?? ''
      if (argumentOf(directive, 'external') === 'true')
        externals.add(`${graph}.${owner}.${node.name.value}`)
      if (argumentOf(directive, 'provides')) providers.add(graph)
      const fieldSet = argumentOf(directive, 'requires')
      if (directive.name.value !== 'join__field' || !fieldSet) return directive
      const own = withOwnFields(parseFieldSet(fieldSet), required)
      requirements.set(`${graph}.${owner}.${node.name.value}`, [
        { kind: Kind.INLINE_FRAGMENT, typeCondition: owner, selections: selectionsOf(own) },
      ])
      const value = { kind: Kind.STRING, value: print(own).slice(1, -1) } as const
      return visit(directive, {
        Argument: (argument) =>
          argument.name.value === 'requires' ? { ...argument, value } : false,
      })
    }),
  })
  const withRenamed = <T extends Composite>(type: T): T => ({
    ...type,
    fields: type.fields?.map((field) => fieldOf(type.name.value, field)),
  })
  const renamed = visit(supergraph, {
    ObjectTypeDefinition: withRenamed,
    InterfaceTypeDefinition: withRenamed,
  })
  const keys = keysOf(supergraph)
  const facts = { arguments: required, requirements, keys, externals, providers }
  if (required.size === 0) return { supergraph, ...facts }
  const withStandIns = <T extends Composite>(type: T): T => ({
    ...type,
    fields: type.fields?.flatMap((field) => [field, ...standInsOf(field, required)]),
  })
  return {
    supergraph: visit(renamed, {
      ObjectTypeDefinition: withStandIns,
      InterfaceTypeDefinition: withStandIns,
    }),
    ...facts,
  }
}

const withOwnFields = (
  fieldSet: OperationDefinitionNode,
  required: Map<string, readonly ArgumentNode[]>,
): OperationDefinitionNode =>
  visit(fieldSet, {
    Field(field) {
      const { name, arguments: args = [] } = field
      if (args.length === 0) return undefined
      const value = requiredKeyOf(name.value, args)
      required.set(value, args)
      return { ...field, name: { ...name, value }, arguments: [] }
    },
  })

const standInsOf = (
  field: FieldDefinitionNode,
  required: RequiredArguments,
): FieldDefinitionNode[] =>
  [...required]
    .filter(
      ([key, args]) =>
        knownKeyOf(key) === field.name.value &&
        args.every((arg) => field.arguments?.some(({ name }) => name.value === arg.name.value)),
    )
    .map(([value]) => ({ ...field, name: { kind: Kind.NAME, value }, arguments: [] }))
