import { AppError, idTaken } from '../../formats/errors.ts'
import { found, NO_CONTENT, ok, withTimestamps } from '../answers.ts'
import {
  type Answer,
  inHeader,
  inPath,
  inQuery,
  inQueryRepeated,
  showing,
} from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { entityTag, parseIfMatch } from '../entity-tag.ts'
import {
  type Numbered,
  numberedAnswer,
  numberedPage,
  PAGED,
  pageVariables,
  parseFilter,
  parseSort,
} from '../numbered-lists.ts'
import { objectOf } from '../parameters.ts'
import {
  type Address,
  type RestRequest,
  type RestResponse,
  type Route,
  routesOf,
} from '../route.ts'
import { ARTIFACT_RESOURCES, type ArtifactResource } from './artifact-kinds.ts'
import {
  type ArtifactData,
  artifactAttributes,
  artifactBody,
  artifactFields,
  REVISION,
} from './artifact-shape.ts'

/** Bytes of a request body, inflated: a component with its source, a scenario with its data. */
const BODY_LIMIT = 4 * 1024 * 1024

/** The operations on one kind of artifact. Count stands first: `count` is no id. */
function artifactRoutes(resource: ArtifactResource): Route[] {
  const { name, typeName, area, existing, example } = resource
  const route = routesOf(area)
  const fields = artifactFields(resource)
  const field = typeName.charAt(0).toLowerCase() + typeName.slice(1)
  const answer = (status: number, artifact: ArtifactData, headers = {}): RestResponse => ({
    status,
    body: artifactBody(resource, artifact),
    headers: { ETag: entityTag(artifact.revision), ...headers },
  })
  const one: Answer = {
    description: 'The artifact',
    schema: ref(typeName),
    headers: { ETag: 'Its revision, for If-Match and If-None-Match' },
  }
  const created: Answer = { ...one, headers: { ...one.headers, Location: 'Its address' } }
  const anyId = inPath('id', 'Id of the artifact', existing)
  const exampleId = inPath('id', 'Id of the artifact', example.id)

  return [
    route<{ list: { totalCount: number } }>({
      method: 'get',
      path: `/${name}/count`,
      summary: `Count artifacts of the kind ${name}; paging and sort are ignored`,
      parameters: [FILTER, ...PAGED, SORT],
      strictQuery: true,
      operation: `query Count${typeName}($filter: JSONObject) {
        list: ${field}s(filter: $filter) { totalCount } }`,
      variables: (request) => ({ filter: parseFilter(request) }),
      respond: ({ list }) => ok(list.totalCount),
      answers: { 200: { description: 'How many match', schema: { type: 'integer' } } },
    }),
    route<{ list: Numbered<ArtifactData> }>({
      method: 'get',
      path: `/${name}`,
      summary: `List artifacts of the kind ${name}`,
      parameters: [...PAGED, SORT, FILTER],
      strictQuery: true,
      operation: `query List${typeName}($filter: JSONObject, $sort: [SortInput!], $first: Int, $offset: Int) {
        list: ${field}s(filter: $filter, sort: $sort, first: $first, offset: $offset) {
          nodes { ${fields} } totalCount } }`,
      variables: (request) => ({
        ...pageVariables(request),
        filter: parseFilter(request),
        sort: parseSort(request),
      }),
      respond: ({ list }, request) =>
        numberedAnswer(list, request, (artifact) => artifactBody(resource, artifact)),
      answers: { 200: numberedPage(typeName) },
    }),
    route<{ artifact: ArtifactData }>({
      method: 'post',
      path: `/${name}`,
      summary: `Create an artifact of the kind ${name}`,
      bodyLimit: BODY_LIMIT,
      yaml: true,
      body: { schema: ref(`${typeName}ToCreate`), example },
      operation: `mutation Create${typeName}($input: Create${typeName}Input!) {
        artifact: create${typeName}(input: $input) { ${fields} } }`,
      variables: ({ body }) => ({ input: attributesOf(resource, body) }),
      respond: ({ artifact }, { path }) =>
        answer(201, artifact, { Location: `${path}/${artifact.id}` }),
      errors: ['CONFLICT'],
      answers: { 201: created },
    }),
    route<{ artifact: ArtifactData | null }>({
      method: 'get',
      path: `/${name}/:id`,
      summary: `Read an artifact of the kind ${name}`,
      parameters: [anyId, IF_NONE_MATCH],
      operation: `query Read${typeName}($id: ID!) { artifact: ${field}(id: $id) { ${fields} } }`,
      variables: ({ params }) => ({ id: params.id }),
      respond: ({ artifact }, { params }) => answer(200, found(artifact, name, params.id)),
      errors: ['NOT_FOUND'],
      answers: { 200: one, 304: { description: 'Unchanged', headers: one.headers } },
    }),
    route<{ artifact: { revisions: object[] } | null }>({
      method: 'get',
      path: `/${name}/:id/revision`,
      summary: `List earlier revisions of an artifact of the kind ${name}, the latest first`,
      parameters: [anyId],
      operation: `query Revisions${typeName}($id: ID!) { artifact: ${field}(id: $id) {
        revisions { ${REVISION} } } }`,
      variables: ({ params }) => ({ id: params.id }),
      respond: ({ artifact }, { params }) =>
        ok(found(artifact, name, params.id).revisions.map(withTimestamps('updated'))),
      errors: ['NOT_FOUND'],
      answers: { 200: { description: 'The last 20', schema: listOf(ref('ArtifactRevision')) } },
    }),
    route<{ artifact: ArtifactData } | { created: ArtifactData }>({
      method: 'put',
      path: `/${name}/:id`,
      summary: `Replace an artifact of the kind ${name}, or create one with If-None-Match: *`,
      parameters: [exampleId, IF_MATCH, ONLY_CREATE],
      bodyLimit: BODY_LIMIT,
      yaml: true,
      body: { schema: ref(`${typeName}ToReplace`), example },
      operation: `mutation Put${typeName}($creates: Boolean!, $input: Update${typeName}Input!, $new: Create${typeName}Input!) {
        artifact: update${typeName}(input: $input) @skip(if: $creates) { ${fields} }
        created: create${typeName}(input: $new) @include(if: $creates) { ${fields} } }`,
      variables: (request) => putVariables(resource, request),
      respond: (data, { path }) =>
        'created' in data
          ? answer(201, data.created, { Location: path })
          : answer(200, data.artifact),
      failureOf: existsAlready,
      errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
      answers: { 200: one, 201: created },
    }),
    route<{ id: string }>({
      method: 'delete',
      path: `/${name}/:id`,
      summary: `Delete an artifact of the kind ${name}`,
      parameters: [exampleId, IF_MATCH],
      operation: `mutation Delete${typeName}($id: ID!, $revision: [Int!]) {
        id: delete${typeName}(id: $id, revision: $revision) }`,
      variables: ({ params, headers }) => ({
        id: params.id,
        revision: parseIfMatch(headers['if-match']),
      }),
      respond: () => NO_CONTENT,
      errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
      answers: { 204: { description: 'It is deleted' } },
    }),
  ]
}

const FILTER = inQuery(
  'filter',
  'JSON object from attributes to values, all of which must match. `*` in a text is any text, a list means any of, null means absent, an object reaches into the attribute.',
  { type: 'string' },
  '{"name":"*"}',
)
const SORT = inQueryRepeated(
  'sort',
  'An attribute, optionally with a comma and `asc` or `desc`. May be repeated.',
  'name,asc',
)
const IF_MATCH = showing(
  inHeader('If-Match', 'Refuses with 412 unless the revision is this one.'),
  '"1"',
)

const ONLY_CREATE = showing(
  inHeader('If-None-Match', '`*` creates the artifact, and refuses with 412 where it exists.'),
  '*',
)

const IF_NONE_MATCH = showing(
  inHeader('If-None-Match', 'Answers 304 if the revision is this one.'),
  '"1"',
)

/**
 * Attributes in a body. Those that only the product sets are ignored, so that an artifact can be read and sent back. Null counts as absent:
 * the graph refuses it for attributes with a default.
 */
function attributesOf(resource: ArtifactResource, body: unknown): Record<string, unknown> {
  const known = artifactAttributes(resource)
  const set = ['revision', 'created', 'updated', ...(resource.set ?? [])]
  const attributes = objectOf(body)
  const isGiven = ([name, value]: [string, unknown]) =>
    !set.includes(name) && (value !== null || !known.includes(name))
  return Object.fromEntries(Object.entries(attributes).filter(isGiven))
}

function putVariables(
  resource: ArtifactResource,
  { body, params, headers }: RestRequest,
): Record<string, unknown> {
  const attributes = attributesOf(resource, body)
  // The graph takes an integer for an id, too; YAML reads digits as one.
  const id = typeof attributes.id === 'number' ? String(attributes.id) : attributes.id
  if (id != null && id !== params.id)
    throw new AppError('BAD_USER_INPUT', `id: expected ${params.id}, as in the path, or no id`)
  const given = { ...attributes, id: params.id }
  return {
    creates: onlyCreates(headers),
    input: { ...given, revision: parseIfMatch(headers['if-match']) },
    new: given,
  }
}

/** @throws AppError BAD_USER_INPUT for preconditions that a change cannot have */
function onlyCreates(headers: RestRequest['headers']): boolean {
  const header = headers['if-none-match']?.trim()
  if (header === undefined) return false
  if (header !== '*')
    throw new AppError('BAD_USER_INPUT', 'Header If-None-Match: expected * for a change')
  if (headers['if-match'] !== undefined)
    throw new AppError('BAD_USER_INPUT', 'Header If-None-Match: expected no If-Match beside it')
  return true
}

/** The id of a PUT is taken only where it was to create. */
function existsAlready(failure: AppError, { params: { id = '' } }: Address): AppError {
  if (failure.code !== 'CONFLICT' || failure.message !== idTaken(id)) return failure
  return new AppError('PRECONDITION_FAILED', `${failure.message}, and If-None-Match says *`)
}

export const artifacts: readonly Route[] = ARTIFACT_RESOURCES.flatMap(artifactRoutes)
