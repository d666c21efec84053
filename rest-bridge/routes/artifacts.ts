import { AppError, idTaken, notFound } from '../../schema/errors.ts'
import { timestamp } from '../../schema/timestamp.ts'
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
import { offsetOf, parseFilter, parsePage, parseSort } from '../list-parameters.ts'
import { linkHeader, pageLinks } from '../page-links.ts'
import { objectOf } from '../parameters.ts'
import {
  type Address,
  BODY_ERRORS,
  type RestRequest,
  type RestResponse,
  type Route,
  route,
} from '../route.ts'
import { ARTIFACT_RESOURCES, type ArtifactResource } from './artifact-kinds.ts'
import { type ArtifactData, artifactBody, artifactFields, REVISION } from './artifact-shape.ts'
import { PAGED } from './list-descriptions.ts'

/** Bytes of a request body, inflated: a component with its source, a scenario with its data. */
const BODY_LIMIT = 4 * 1024 * 1024

/** The operations on one kind of artifact. Count stands first: `count` is no id. */
function artifactRoutes(resource: ArtifactResource): Route[] {
  const { name, typeName, area, existing, example } = resource
  const fields = artifactFields(resource)
  const field = typeName.charAt(0).toLowerCase() + typeName.slice(1)
  const answer = (status: number, artifact: ArtifactData): RestResponse => ({
    status,
    body: artifactBody(resource, artifact),
    headers: { ETag: entityTag(artifact.revision) },
  })
  const one: Answer = {
    description: 'The artifact',
    schema: ref(typeName),
    headers: { ETag: 'Its revision, for If-Match and If-None-Match' },
  }
  const anyId = inPath('id', 'Id of the artifact', existing)
  const exampleId = inPath('id', 'Id of the artifact', example.id)

  return [
    route<{ list: { totalCount: number } }>({
      method: 'get',
      path: `/${name}/count`,
      summary: `Count artifacts of the kind ${name}; paging and sort are ignored`,
      area,
      parameters: [FILTER, ...PAGED, SORT],
      strictQuery: true,
      operation: `query Count${typeName}($filter: JSONObject) {
        list: ${field}s(filter: $filter) { totalCount } }`,
      variables: (request) => ({ filter: parseFilter(request) }),
      respond: ({ list }) => ({ status: 200, body: list.totalCount }),
      errors: ['BAD_USER_INPUT', 'OVERLOADED'],
      answers: { 200: { description: 'How many match', schema: { type: 'integer' } } },
    }),
    route<{ list: { nodes: ArtifactData[]; totalCount: number } }>({
      method: 'get',
      path: `/${name}`,
      summary: `List artifacts of the kind ${name}`,
      area,
      parameters: [...PAGED, SORT, FILTER],
      strictQuery: true,
      operation: `query List${typeName}($filter: JSONObject, $sort: [SortInput!], $first: Int, $offset: Int) {
        list: ${field}s(filter: $filter, sort: $sort, first: $first, offset: $offset) {
          nodes { ${fields} } totalCount } }`,
      variables(request) {
        const page = parsePage(request)
        const [filter, sort] = [parseFilter(request), parseSort(request)]
        return { filter, sort, first: page.pageSize, offset: offsetOf(page) }
      },
      respond: ({ list: { nodes, totalCount } }, request) => ({
        status: 200,
        body: nodes.map((artifact) => artifactBody(resource, artifact)),
        headers: {
          'X-Total-Count': String(totalCount),
          ...linkHeader(pageLinks(request.path, request.repeated, parsePage(request), totalCount)),
        },
      }),
      errors: ['BAD_USER_INPUT', 'OVERLOADED'],
      answers: {
        200: {
          description: 'One page',
          schema: listOf(ref(typeName)),
          headers: {
            'X-Total-Count': 'How many there are on all pages',
            Link: 'The first, previous, next and last page (RFC 8288)',
          },
        },
      },
    }),
    route<{ artifact: ArtifactData }>({
      method: 'post',
      path: `/${name}`,
      summary: `Create an artifact of the kind ${name}`,
      area,
      parameters: [],
      bodyLimit: BODY_LIMIT,
      yaml: true,
      body: { schema: ref(`${typeName}ToCreate`), example },
      operation: `mutation Create${typeName}($input: Create${typeName}Input!) {
        artifact: create${typeName}(input: $input) { ${fields} } }`,
      variables: ({ body }) => ({ input: attributesOf(body) }),
      respond({ artifact }, { path }) {
        const { headers, ...rest } = answer(201, artifact)
        return { ...rest, headers: { ...headers, Location: `${path}/${artifact.id}` } }
      },
      errors: [...BODY_ERRORS, 'CONFLICT', 'OVERLOADED'],
      answers: { 201: { ...one, headers: { ...one.headers, Location: 'Its address' } } },
    }),
    route<{ artifact: ArtifactData | null }>({
      method: 'get',
      path: `/${name}/:id`,
      summary: `Read an artifact of the kind ${name}`,
      area,
      parameters: [anyId, IF_NONE_MATCH],
      operation: `query Read${typeName}($id: ID!) { artifact: ${field}(id: $id) { ${fields} } }`,
      variables: ({ params }) => ({ id: params.id }),
      respond({ artifact }, { params: { id = '' } }) {
        if (!artifact) throw notFound(name, id)
        return answer(200, artifact)
      },
      errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OVERLOADED'],
      answers: { 200: one, 304: { description: 'Unchanged', headers: one.headers } },
    }),
    route<{ artifact: { revisions: RevisionData[] } | null }>({
      method: 'get',
      path: `/${name}/:id/revision`,
      summary: `List earlier revisions of an artifact of the kind ${name}, the latest first`,
      area,
      parameters: [anyId],
      operation: `query Revisions${typeName}($id: ID!) { artifact: ${field}(id: $id) {
        revisions { ${REVISION} } } }`,
      variables: ({ params }) => ({ id: params.id }),
      respond({ artifact }, { params: { id = '' } }) {
        if (!artifact) throw notFound(name, id)
        const body = artifact.revisions.map((each) => ({
          ...each,
          updated: timestamp(each.updated),
        }))
        return { status: 200, body }
      },
      errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OVERLOADED'],
      answers: { 200: { description: 'The last 20', schema: listOf(ref('ArtifactRevision')) } },
    }),
    route<{ artifact?: ArtifactData; created?: ArtifactData }>({
      method: 'put',
      path: `/${name}/:id`,
      summary: `Replace an artifact of the kind ${name}, or create one with If-None-Match: *`,
      area,
      parameters: [exampleId, IF_MATCH, ONLY_CREATE],
      bodyLimit: BODY_LIMIT,
      yaml: true,
      body: { schema: ref(`${typeName}ToReplace`), example },
      operation: `mutation Put${typeName}($creates: Boolean!, $input: Update${typeName}Input!, $new: Create${typeName}Input!) {
        artifact: update${typeName}(input: $input) @skip(if: $creates) { ${fields} }
        created: create${typeName}(input: $new) @include(if: $creates) { ${fields} } }`,
      variables: putVariables,
      respond({ artifact, created }, { path }) {
        if (artifact) return answer(200, artifact)
        const { headers, ...rest } = answer(201, created as ArtifactData) // it is the one or the other
        return { ...rest, headers: { ...headers, Location: path } }
      },
      failureOf: existsAlready,
      errors: [...BODY_ERRORS, 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'OVERLOADED'],
      answers: { 200: one, 201: { ...one, headers: { ...one.headers, Location: 'Its address' } } },
    }),
    route<{ id: string }>({
      method: 'delete',
      path: `/${name}/:id`,
      summary: `Delete an artifact of the kind ${name}`,
      area,
      parameters: [exampleId, IF_MATCH],
      operation: `mutation Delete${typeName}($id: ID!, $revision: [Int!]) {
        id: delete${typeName}(id: $id, revision: $revision) }`,
      variables: ({ params, headers }) => ({
        id: params.id,
        revision: parseIfMatch(headers['if-match']),
      }),
      respond: () => ({ status: 204, body: undefined }),
      errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'OVERLOADED'],
      answers: { 204: { description: 'It is deleted' } },
    }),
  ]
}

interface RevisionData {
  updated: string
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

/** What a body says; what only the product sets is ignored, so that what was read can be sent back. */
function attributesOf(body: unknown): Record<string, unknown> {
  const { revision: _, created: __, updated: ___, ...attributes } = objectOf(body)
  return attributes
}

function putVariables({ body, params, headers }: RestRequest): Record<string, unknown> {
  const attributes = attributesOf(body)
  if (attributes.id != null && attributes.id !== params.id)
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
