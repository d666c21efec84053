import type { IResolvers } from '@graphql-tools/utils'
import { type DocumentNode, Kind, type ObjectTypeDefinitionNode, parse, visit } from 'graphql'
import { nodeIdOf } from './node-id.ts'

const NODE = parse(`"""An object that \`node\` finds by its nodeId."""
interface Node { """Unique in the whole graph; opaque.""" nodeId: ID! }`).definitions

const [FIELD] = parse(
  'type Entity { """Unique in the whole graph, as `node` takes it; opaque.""" nodeId: ID! @shareable }',
).definitions.flatMap((definition) =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION ? (definition.fields ?? []) : [],
)

const isEntity = ({ directives = [] }: ObjectTypeDefinitionNode): boolean =>
  directives.some(({ name }) => name.value === 'key')

/** Makes every entity of a subgraph a `Node`. Each subgraph that knows an entity's id knows its nodeId. */
export function withNodes(document: DocumentNode): DocumentNode {
  if (entitiesOf(document).length === 0) return document
  const withFields = visit(document, {
    ObjectTypeDefinition(type) {
      const { interfaces = [], fields = [] } = type
      if (!isEntity(type) || fields.some(({ name }) => name.value === 'nodeId')) return
      const Node = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'Node' } } as const
      const all = [...fields, ...(FIELD ? [FIELD] : [])].sort((one, other) =>
        one.name.value < other.name.value ? -1 : 1,
      )
      return { ...type, interfaces: [...interfaces, Node], fields: all }
    },
  })
  const isThere = document.definitions.some(
    (each) => each.kind === Kind.INTERFACE_TYPE_DEFINITION && each.name.value === 'Node',
  )
  return isThere ? withFields : { ...withFields, definitions: [...withFields.definitions, ...NODE] }
}

/** Resolvers of `nodeId`, by entity. */
export const nodeResolvers = (document: DocumentNode): IResolvers =>
  Object.fromEntries(
    entitiesOf(document).map((type) => [
      type,
      { nodeId: ({ id }: { id: string }) => nodeIdOf({ type, id }) },
    ]),
  )

const entitiesOf = ({ definitions }: DocumentNode): string[] =>
  definitions.flatMap((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION && isEntity(definition)
      ? [definition.name.value]
      : [],
  )
