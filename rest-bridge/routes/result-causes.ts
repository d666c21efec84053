import type { GraphQLSchema } from 'graphql'
import { found, ok, withTimestamps } from '../answers.ts'
import { arrayAnswer, arrayPage, type Listed, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { inPath, inQuery, inWords, RESULT_ID, showing } from '../documents/description.ts'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'
import { entityTag } from '../entity-tag.ts'
import { filledValues, objectOf, parseBoolean, parseWord } from '../parameters.ts'
import { parseResultFilter, RESULT_FILTER } from '../result-filter.ts'
import { type Route, routesOf } from '../route.ts'
import { ARTIFACT_RESOURCES } from './artifact-kinds.ts'
import { type ArtifactData, artifactBody, artifactFields } from './artifact-shape.ts'

const route = routesOf('Results')

const EXECUTION = 'id started revisions { kind artifactId revision }'

/** GraphQL fields of a cause. Its id here is the same in each list. */
const CAUSE = `id: causeId fault step expectation message count firstSeen lastSeen scenarioCount currentCount
  scenarios { contextId name environmentId count lastId isCurrent isQuarantined }
  suites { contextId name } since { ${EXECUTION} } lastGood { ${EXECUTION} }
  verdict owner comment ticket verdictBy verdictAt`

const FAILING = `failures first { ${EXECUTION} } lastGood { ${EXECUTION} } changes { kind name before after }`

const WHY = `cause { ${CAUSE} } failingSince { ${FAILING} }`

interface Neighbours {
  since?: object | null
  first?: object | null
  lastGood: object | null
}

const withStarted = withTimestamps('started')
const times = withTimestamps('firstSeen', 'lastSeen', 'verdictAt')

const neighbours = ({ since, first, lastGood }: Neighbours) => ({
  ...(since !== undefined && { since: since && withStarted(since) }),
  ...(first !== undefined && { first: first && withStarted(first) }),
  lastGood: lastGood && withStarted(lastGood),
})

const causeBody = (cause: Neighbours) => ({ ...times(cause), ...neighbours(cause) })

/** Bytes of a verdict with a long comment. */
const BODY_LIMIT = 32 * 1024

const CAUSE_ID = showing(inPath('causeId', 'Id of the cause'), '5f2c0f0e6d1b4d7c9a3e8b1f0c2d4e6a')

const VERDICTS = ['any', 'none', 'product', 'test', 'environment', 'flaky'] as const

const verdictsOf = (word: (typeof VERDICTS)[number]) =>
  word === 'any' ? null : [word === 'none' ? null : word.toUpperCase()]

const TESTCASE = ARTIFACT_RESOURCES.find(({ name }) => name === 'testcase') ?? never()

function never(): never {
  throw new Error('There are no scenarios')
}

export const causeSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  FailureCause: outputSchema(graph, 'FailureCause', CAUSE),
  WhyItFailed: outputSchema(graph, 'ExecutionResult', WHY),
  FailureVerdict: inputSchema(graph, 'SetFailureVerdictInput', { id: null }),
  Quarantine: inputSchema(graph, 'SetQuarantineInput', { id: null }),
})

/** Causes of failures. These rows stand before those of single results: `cause` is no id. */
export const resultCauses: readonly Route[] = [
  route<{ failureCauses: Listed<Neighbours> }>({
    method: 'get',
    path: '/result/cause',
    summary: 'List causes of failures, those seen last first',
    parameters: [
      RESULT_FILTER,
      inWords('verdict', 'Only causes with this verdict, in any case.', VERDICTS),
      showing(inQuery('owner', 'Only causes of this owner.'), 'ann'),
      inQuery('current', 'Only those by which the last execution of a scenario failed.', {
        type: 'boolean',
        default: false,
      }),
      ...PAGE.parameters,
    ],
    strictQuery: true,
    operation: `query Causes($filter: ExecutionResultFilter, $causes: FailureCauseFilter, ${PAGE.variables}) {
      failureCauses(filter: $filter, causes: $causes, ${PAGE.arguments}) { nodes { ${CAUSE} } ${PAGE.info} } }`,
    variables: (request) => ({
      ...parseCursorPage(request),
      filter: parseResultFilter(request),
      causes: {
        verdicts: verdictsOf(parseWord('verdict', request.query.verdict, VERDICTS)),
        owners: filledValues(request, 'owner'),
        isCurrent: parseBoolean('current', request.query.current) || null,
      },
    }),
    respond: ({ failureCauses }, request) => arrayAnswer(failureCauses, request, causeBody),
    answers: { 200: arrayPage('FailureCause') },
  }),
  route<{ failureCause: Neighbours | null }>({
    method: 'get',
    path: '/cause/:causeId',
    summary: 'Read a cause of failures, over all results that are kept',
    parameters: [CAUSE_ID],
    operation: `query Cause($id: ID!) { failureCause(id: $id) { ${CAUSE} } }`,
    variables: ({ params }) => ({ id: params.causeId }),
    respond: ({ failureCause }, { params }) =>
      ok(causeBody(found(failureCause, 'cause', params.causeId))),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The cause', schema: ref('FailureCause') } },
  }),
  route<{ setFailureVerdict: Neighbours }>({
    method: 'put',
    path: '/cause/:causeId/verdict',
    summary: 'Say where the fault of a cause lies, and who takes care of it',
    parameters: [CAUSE_ID],
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('FailureVerdict'),
      example: { verdict: 'ENVIRONMENT', owner: 'ann', comment: 'The network of the lab is down' },
    },
    operation: `mutation SetFailureVerdict($input: SetFailureVerdictInput!) {
      setFailureVerdict(input: $input) { ${CAUSE} } }`,
    variables: ({ body, params }) => ({ input: { ...objectOf(body), id: params.causeId } }),
    respond: ({ setFailureVerdict }) => ok(causeBody(setFailureVerdict)),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The cause as it is now', schema: ref('FailureCause') } },
  }),
  route<{ executionResult: { cause: Neighbours | null; failingSince: Neighbours | null } | null }>({
    method: 'get',
    path: '/result/:resultId/cause',
    summary: 'Read why an execution failed, since when, and what changed then',
    parameters: [RESULT_ID],
    operation: `query WhyItFailed($id: ID!) { executionResult(id: $id) { ${WHY} } }`,
    variables: ({ params }) => ({ id: params.resultId }),
    respond({ executionResult }, { params }) {
      const { cause, failingSince } = found(executionResult, 'execution result', params.resultId)
      return ok({
        cause: cause && causeBody(cause),
        failingSince: failingSince && { ...failingSince, ...neighbours(failingSince) },
      })
    },
    errors: ['NOT_FOUND'],
    answers: {
      200: { description: 'Its cause, and since when it fails', schema: ref('WhyItFailed') },
    },
  }),
  route<{ setQuarantine: ArtifactData }>({
    method: 'put',
    path: '/testcase/:id/quarantine',
    area: TESTCASE.area,
    summary: 'Put a scenario into quarantine, or take it out',
    parameters: [inPath('id', 'Id of the scenario', TESTCASE.existing)],
    bodyLimit: BODY_LIMIT,
    body: { schema: ref('Quarantine'), example: { quarantine: false } },
    operation: `mutation SetQuarantine($input: SetQuarantineInput!) {
      setQuarantine(input: $input) { ${artifactFields(TESTCASE)} } }`,
    variables: ({ body, params }) => ({ input: { ...objectOf(body), id: params.id } }),
    respond: ({ setQuarantine: artifact }) => ({
      ...ok(artifactBody(TESTCASE, artifact)),
      headers: { ETag: entityTag(artifact.revision) },
    }),
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
    answers: { 200: { description: 'The scenario as it is now', schema: ref('TestCase') } },
  }),
]
