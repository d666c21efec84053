import {
  type ArgumentNode,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type FieldNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { knownKeyOf, requiredKeyOf } from '../../planning/response-key.ts'
import { argumentOf } from '../../supergraph/join-directive.ts'
import { visitFieldSet } from './field-set.ts'
import { type Keys, keysOf } from './key-fields.ts'

/** Key of a required field → the arguments that it is required with. */
export type RequiredArguments = ReadonlyMap<string, readonly ArgumentNode[]>

export interface RequiredFields {
  supergraph: DocumentNode
  arguments: RequiredArguments
  /** `GRAPH.Type.field` → path of a field that it requires, in known names → the key of that. */
  requirements: ReadonlyMap<string, Needs>
  keys: Keys
  /** `GRAPH.Type.field` of fields that a subgraph names and does not resolve. */
  externals: ReadonlySet<string>
  /** Subgraphs that resolve some of those on certain paths. */
  providers: ReadonlySet<string>
}

type Composite = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode

/** Path of a required field, in known names → the key that it is gathered at. */
export type Needs = ReadonlyMap<string, string>

/**
 * The planner gathers a required field with arguments at the key that the same field has with other arguments. So each
 * such field becomes, for planning, a field of its own without arguments: `price(currency: "EUR")` in a field set of
 * `requires` becomes `_r06eb3771_price`, and every type with a field `price` gets one of that name.
 */
export function withRequiredFields(supergraph: DocumentNode): RequiredFields {
  const required = new Map<string, readonly ArgumentNode[]>()
  const requirements = new Map<string, Map<string, string>>()
  const externals = new Set<string>()
  const providers = new Set<string>()
  const fieldOf = (owner: string, node: FieldDefinitionNode): FieldDefinitionNode => ({
    ...node,
    directives: node.directives?.map((directive) => {
      const graph = argumentOf(directive, 'graph') ?? ''
      if (argumentOf(directive, 'external') === 'true')
        externals.add(`${graph}.${owner}.${node.name.value}`)
      if (argumentOf(directive, 'provides')) providers.add(graph)
      const found = new Map<string, string>()
      const changed = withOwnFields(directive, required, found)
      if (found.size > 0) requirements.set(`${graph}.${owner}.${node.name.value}`, found)
      return changed
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

function withOwnFields(
  directive: ConstDirectiveNode,
  required: Map<string, readonly ArgumentNode[]>,
  found: Map<string, string>,
): ConstDirectiveNode {
  const fieldSet = argumentOf(directive, 'requires')
  if (directive.name.value !== 'join__field' || !fieldSet) return directive
  const document = visitFieldSet(fieldSet, (field, path) => {
    const key = keyOf(field)
    if (!field.selectionSet) found.set(path, key)
    if (!field.arguments?.length) return undefined
    required.set(key, field.arguments)
    return { ...field, name: { kind: Kind.NAME, value: key }, arguments: [] }
  })
  const [operation] = document.definitions
  const { selections } = (operation as { selectionSet: SelectionSetNode }).selectionSet
  const value = { kind: Kind.STRING, value: selections.map(print).join(' ') } as const
  return {
    ...directive,
    arguments: directive.arguments?.map((argument) =>
      argument.name.value === 'requires' ? { ...argument, value } : argument,
    ),
  }
}

const keyOf = ({ name, arguments: args = [] }: FieldNode): string =>
  args.length === 0 ? name.value : requiredKeyOf(name.value, args)

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
