import type { GraphQLSchema } from 'graphql'
import { badInput } from '../../formats/errors.ts'
import { ok } from '../answers.ts'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, MAP, ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Scenarios')

const BODY_LIMIT = 4 * 1024 * 1024

const VALIDATION = 'isValid message faults'
const EVALUATION = 'isMet message actualValue'
const REQUESTS = 'name baseUrl steps secrets signsIn'

export const dryRunSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  ScenarioToValidate: {
    type: 'object',
    required: ['scenario'],
    additionalProperties: false,
    properties: {
      scenario: {
        ...MAP,
        type: ['object', 'string'],
        description: 'The steps and their expectations: an object, or a text with YAML.',
      },
      componentUnderTest: {
        type: ['string', 'null'],
        description:
          'Id of the component that it is to test: finds functions that it does not export.',
      },
      environment: {
        type: ['string', 'null'],
        description:
          'Id of the environment that it is to run in: finds unknown names in templates.',
      },
    },
  },
  ScenarioValidation: outputSchema(graph, 'ScenarioValidation', VALIDATION),
  ExpectationToEvaluate: inputSchema(graph, 'EvaluateExpectationInput'),
  ExpectationEvaluation: outputSchema(graph, 'ExpectationEvaluation', EVALUATION),
  RequestsToRead: {
    type: 'object',
    required: ['text'],
    additionalProperties: false,
    properties: {
      text: {
        type: 'string',
        description: 'A command line of curl, or an OpenAPI 3 document as YAML or JSON.',
      },
    },
  },
  RequestSteps: outputSchema(graph, 'RequestSteps', REQUESTS),
})

/** Rows for authors to try things out; nothing is stored and nothing runs. */
export const dryRuns: readonly Route[] = [
  route<{ validateScenario: object }>({
    method: 'post',
    path: '/scenario/validate',
    summary: 'Validate a scenario, and whether what it names exists, without storing it',
    bodyLimit: BODY_LIMIT,
    yaml: true,
    body: {
      schema: ref('ScenarioToValidate'),
      example: {
        scenario: { steps: [{ id: 'low', call: { component: 'tax-table', function: 'tax' } }] },
      },
    },
    operation: `query ValidateScenario($scenario: ScenarioInput!, $componentUnderTest: ID, $environment: ID) {
      validateScenario(scenario: $scenario, componentUnderTest: $componentUnderTest, environment: $environment) { ${VALIDATION} } }`,
    variables: ({ body }) => toValidate(objectOf(body)),
    respond: ({ validateScenario }) => ok(validateScenario),
    answers: { 200: { description: 'Its faults, if any', schema: ref('ScenarioValidation') } },
  }),
  route<{ evaluateExpectation: object }>({
    method: 'post',
    path: '/expectation/evaluate',
    summary: 'Evaluate an expectation against a given result, without running anything',
    bodyLimit: BODY_LIMIT,
    yaml: true,
    body: {
      schema: ref('ExpectationToEvaluate'),
      example: {
        expectation: { path: '$.tax', assert: 'equals', value: 0 },
        actual: { tax: 0 },
      },
    },
    operation: `query EvaluateExpectation($input: EvaluateExpectationInput!) {
      evaluateExpectation(input: $input) { ${EVALUATION} } }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: ({ evaluateExpectation }) => ok(evaluateExpectation),
    answers: {
      200: { description: 'Whether it is met', schema: ref('ExpectationEvaluation') },
    },
  }),
  route<{ requestSteps: object }>({
    method: 'post',
    path: '/scenario/requests',
    summary: 'Read a command line of curl, or an OpenAPI document, as steps of a scenario',
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('RequestsToRead'),
      example: { text: 'curl https://api.example.com/orders?open=true' },
    },
    operation: `query ReadRequests($text: String!) { requestSteps(text: $text) { ${REQUESTS} } }`,
    variables: ({ body }) => textOf(objectOf(body)),
    respond: ({ requestSteps }) => ok(requestSteps),
    answers: { 200: { description: 'The steps; nothing is stored', schema: ref('RequestSteps') } },
  }),
]

/** @throws AppError BAD_USER_INPUT */
function textOf({ text, ...unknown }: Record<string, unknown>): { text: string } {
  const [name] = Object.keys(unknown)
  if (name !== undefined) throw badInput(`${name}: no such attribute; use text`)
  if (typeof text !== 'string') throw badInput('text: expected a text')
  return { text }
}

/** @throws AppError BAD_USER_INPUT that names what is not known */
function toValidate({
  scenario,
  componentUnderTest = null,
  environment = null,
  ...unknown
}: Record<string, unknown>): Record<string, unknown> {
  const [name] = Object.keys(unknown)
  if (name !== undefined)
    throw badInput(`${name}: no such attribute; use scenario, componentUnderTest and environment`)
  return { scenario, componentUnderTest, environment }
}
