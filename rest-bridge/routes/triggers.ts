import type { GraphQLSchema } from 'graphql'
import { inHeader, inPath, showing } from '../documents/description.ts'
import { outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Triggers')

/** Secret of the example request. */
export const EXAMPLE_SECRET = 'a-secret-that-the-sender-knows'

const CALL = 'resultId'

export const triggerSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  TriggerCall: outputSchema(graph, 'TriggerCall', CALL),
})

/** Bytes of a payload, inflated. */
const BODY_LIMIT = 1024 * 1024

/** Headers with the proof of a sender, and those that name the delivery. */
const HEADERS = [
  'content-type',
  'x-hub-signature-256',
  'x-github-event',
  'x-github-delivery',
  'x-gitlab-token',
  'idempotency-key',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]

/** Requests of senders to the webhooks of triggers. */
export const triggers: readonly Route[] = [
  route<{ callTrigger: { resultId: string | null } }>({
    method: 'post',
    path: '/v1/triggers/:triggerName',
    summary:
      'Start the execution of a trigger by a signed request of GitHub, GitLab or another sender',
    parameters: [
      showing(inPath('triggerName', 'Name or id of the trigger'), 'pushes'),
      inHeader(
        'X-Gitlab-Token',
        'The secret, as GitLab sends it; other senders sign the body.',
        EXAMPLE_SECRET,
      ),
    ],
    bodyLimit: BODY_LIMIT,
    textBody: true,
    body: { schema: ref('SentByTool'), example: { ref: 'refs/heads/main' } },
    operation: `mutation CallTrigger($input: CallTriggerInput!) {
      callTrigger(input: $input) { ${CALL} } }`,
    variables({ params, body, headers }) {
      const given = HEADERS.flatMap((name) =>
        headers[name] === undefined ? [] : [[name, headers[name]]],
      )
      return { input: { name: params.triggerName, body, headers: Object.fromEntries(given) } }
    },
    respond: ({ callTrigger }) => ({ status: 202, body: callTrigger }),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
    answers: {
      202: {
        description: 'The execution is accepted; of a repeated delivery the one before',
        schema: ref('TriggerCall'),
      },
    },
  }),
]
