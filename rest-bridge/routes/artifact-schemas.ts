import type { GraphQLSchema } from 'graphql'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, listOf, nullable } from '../documents/json-schema.ts'
import { ARTIFACT_RESOURCES, type ArtifactResource } from './artifact-kinds.ts'
import { artifactFields, REVISION } from './artifact-shape.ts'

/** Schemas of each kind: the answer, under the name of its type, and the bodies that create and replace it. */
export const artifactSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> =>
  Object.fromEntries([
    ['ArtifactRevision', outputSchema(graph, 'ArtifactRevision', REVISION)],
    ...ARTIFACT_RESOURCES.flatMap((resource) => {
      const { typeName } = resource
      return [
        [typeName, stored(graph, resource)],
        [`${typeName}ToCreate`, body(graph, resource)],
        // The path has the id: the body is what creates one.
        [`${typeName}ToReplace`, body(graph, resource, { id: SAME_ID })],
      ]
    }),
  ])

const ID: JsonSchema = { type: 'string' }

/** Empty where none was given. */
const TEXT: JsonSchema = { type: 'string' }

const IGNORED: JsonSchema = {
  readOnly: true,
  description: 'Set by the product; ignored in requests.',
}

/** Attributes that are read and ignored when they are sent back. */
const SET = { revision: IGNORED, created: IGNORED, updated: IGNORED }

const SAME_ID: JsonSchema = {
  type: 'string',
  description: 'May be left out; else the id in the path.',
}

const body = (
  graph: GraphQLSchema,
  { typeName, inputs, set = [] }: ArtifactResource,
  changes: Record<string, JsonSchema> = {},
): JsonSchema =>
  inputSchema(graph, `Create${typeName}Input`, {
    ...SET,
    ...Object.fromEntries(set.map((name) => [name, IGNORED])),
    ...inputs,
    ...changes,
  })

/** References are read as ids. */
function stored(graph: GraphQLSchema, resource: ArtifactResource): JsonSchema {
  const { typeName, references } = resource
  const schema = outputSchema(graph, typeName, artifactFields(resource))
  const properties = schema.properties as Record<string, JsonSchema>
  const ids = references.map((name) => {
    const { type, description } = properties[name] ?? {}
    if (type === 'array') return [name, { description, ...listOf(ID) }]
    return [name, { description, ...(Array.isArray(type) ? nullable(ID) : ID) }]
  })
  const description = { ...properties.description, ...TEXT }
  return { ...schema, properties: { ...properties, description, ...Object.fromEntries(ids) } }
}
