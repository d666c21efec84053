import type { GraphQLSchema } from 'graphql'
import { ok } from '../answers.ts'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, listOf, MAP, ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Artifacts as files')

/** Bytes of a request body, inflated: a whole folder of artifacts. */
export const BODY_LIMIT = 16 * 1024 * 1024

const VALIDATION = 'isValid faults { artifact message } warnings { artifact message }'

/** Inputs of a start that are headers and query parameters. */
const IN_HEADERS = { credentials: null, idempotencyKey: null, wait: null, callbackUrl: null }

const RESULT =
  'set dryRun changes { kind id: artifactId action revision attributes { name before after } }'

export const apply: readonly Route[] = [
  route<{ applyArtifacts: unknown }>({
    method: 'post',
    path: '/apply',
    summary: 'Store a set of artifacts in one transaction',
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
    respond: ({ applyArtifacts }) => ok(applyArtifacts),
    errors: ['CONFLICT'],
    answers: { 200: { description: 'What became of each artifact', schema: ref('ApplyResult') } },
  }),
  route<{ validateArtifacts: unknown }>({
    method: 'post',
    path: '/validate',
    summary: 'Check artifacts before they are stored or executed',
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('ArtifactsToValidate'),
      example: { artifacts: [{ kind: 'suite', id: 'my-suite', testCases: ['loan-schedule'] }] },
    },
    operation: `query ValidateArtifacts($input: ValidateArtifactsInput!) {
      validateArtifacts(input: $input) { ${VALIDATION} } }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: ({ validateArtifacts }) => ok(validateArtifacts),
    answers: { 200: { description: 'Every fault', schema: ref('ArtifactsValidation') } },
  }),
]

/** The artifacts are described by a document of their own: `/scenario.schema.json`. */
const ARTIFACTS = listOf({
  ...MAP,
  required: ['kind', 'id'],
  properties: { kind: { type: 'string' }, id: { type: 'string' } },
})

export const applySchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  ArtifactsToApply: inputSchema(graph, 'ApplyArtifactsInput', { artifacts: ARTIFACTS }),
  ApplyResult: outputSchema(graph, 'ApplyResult', RESULT),
  ArtifactsToValidate: inputSchema(graph, 'ValidateArtifactsInput', { artifacts: ARTIFACTS }),
  ArtifactsValidation: outputSchema(graph, 'ArtifactsValidation', VALIDATION),
  ArtifactsToExecute: inputSchema(graph, 'ExecuteInlineInput', {
    artifacts: ARTIFACTS,
    ...IN_HEADERS,
  }),
})
