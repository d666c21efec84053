import type { GraphQLSchema } from 'graphql'
import { AppError } from '../../schema/errors.ts'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, listOf, ref } from '../documents/json-schema.ts'
import { type Route, route } from '../route.ts'

/** Bytes of a request body, inflated: a whole folder of artifacts. */
const BODY_LIMIT = 16 * 1024 * 1024

const RESULT = 'set dryRun changes { kind id action revision attributes { name before after } }'

export const apply: readonly Route[] = [
  route<{ applyArtifacts: unknown }>({
    method: 'post',
    path: '/apply',
    summary: 'Store a set of artifacts in one transaction',
    area: 'Artifacts as files',
    parameters: [],
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('ArtifactsToApply'),
      example: {
        set: 'my-repository',
        dryRun: true,
        artifacts: [{ kind: 'environment', id: 'stage', baseUrl: 'https://stage.example' }],
      },
    },
    operation: `mutation ApplyArtifacts($input: ApplyArtifactsInput!) {
      applyArtifacts(input: $input) { ${RESULT} } }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: ({ applyArtifacts }) => ({ status: 200, body: applyArtifacts }),
    errors: [
      'BAD_USER_INPUT',
      'CONFLICT',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'OVERLOADED',
    ],
    answers: { 200: { description: 'What became of each artifact', schema: ref('ApplyResult') } },
  }),
]

/** The artifacts are described by a document of their own: `/scenario.schema.json`. */
const ARTIFACTS = listOf({ type: 'object', required: ['kind', 'id'] })

export const applySchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  ArtifactsToApply: inputSchema(graph, 'ApplyArtifactsInput', { artifacts: ARTIFACTS }),
  ApplyResult: outputSchema(graph, 'ApplyResult', RESULT),
})

export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>
  throw new AppError('BAD_USER_INPUT', 'The request body: expected one object')
}
