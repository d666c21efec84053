import { AppError, notFound } from '../../schema/errors.ts'
import { entityTag, parseIfMatch } from '../entity-tag.ts'
import { offsetOf, parseFilter, parsePage, parseSort } from '../list-parameters.ts'
import { pageLinks } from '../page-links.ts'
import { type RestRequest, type RestResponse, type Route, route } from '../route.ts'
import { ARTIFACT_RESOURCES, type ArtifactResource } from './artifact-kinds.ts'
import { type ArtifactData, artifactBody, artifactFields } from './artifact-shape.ts'

/** Bytes of a request body, inflated: a component with its source, a scenario with its data. */
const BODY_LIMIT = 4 * 1024 * 1024

/** The six operations on one kind of artifact. Count stands first: `count` is no id. */
function artifactRoutes(resource: ArtifactResource): Route[] {
  const { name, typeName } = resource
  const fields = artifactFields(resource)
  const field = typeName.charAt(0).toLowerCase() + typeName.slice(1)
  const answer = (status: number, artifact: ArtifactData): RestResponse => ({
    status,
    body: artifactBody(resource, artifact),
    headers: { ETag: entityTag(artifact.revision) },
  })

  return [
    route<{ list: { totalCount: number } }>({
      method: 'get',
      path: `/${name}/count`,
      summary: `Count artifacts of the kind ${name}`,
      operation: `query Count${typeName}($filter: JSONObject) {
        list: ${field}s(filter: $filter) { totalCount } }`,
      variables: (request) => ({ filter: parseFilter(request) }),
      respond: ({ list }) => ({ status: 200, body: list.totalCount }),
      errors: ['BAD_USER_INPUT', 'OVERLOADED'],
    }),
    route<{ list: { nodes: ArtifactData[]; totalCount: number } }>({
      method: 'get',
      path: `/${name}`,
      summary: `List artifacts of the kind ${name}`,
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
          Link: pageLinks(request.path, request.repeated, parsePage(request), totalCount),
        },
      }),
      errors: ['BAD_USER_INPUT', 'OVERLOADED'],
    }),
    route<{ artifact: ArtifactData }>({
      method: 'post',
      path: `/${name}`,
      summary: `Create an artifact of the kind ${name}`,
      bodyLimit: BODY_LIMIT,
      operation: `mutation Create${typeName}($input: Create${typeName}Input!) {
        artifact: create${typeName}(input: $input) { ${fields} } }`,
      variables: ({ body }) => ({ input: attributesOf(body) }),
      respond({ artifact }, { path }) {
        const { headers, ...rest } = answer(201, artifact)
        return { ...rest, headers: { ...headers, Location: `${path}/${artifact.id}` } }
      },
      errors: [...BODY_ERRORS, 'CONFLICT', 'OVERLOADED'],
    }),
    route<{ artifact: ArtifactData | null }>({
      method: 'get',
      path: `/${name}/:id`,
      summary: `Read an artifact of the kind ${name}`,
      operation: `query Read${typeName}($id: ID!) { artifact: ${field}(id: $id) { ${fields} } }`,
      variables: ({ params }) => ({ id: params.id }),
      respond({ artifact }, { params: { id = '' } }) {
        if (!artifact) throw notFound(name, id)
        return answer(200, artifact)
      },
      errors: ['NOT_FOUND', 'OVERLOADED'],
    }),
    route<{ artifact: ArtifactData }>({
      method: 'put',
      path: `/${name}/:id`,
      summary: `Replace an artifact of the kind ${name}`,
      bodyLimit: BODY_LIMIT,
      operation: `mutation Update${typeName}($input: Update${typeName}Input!) {
        artifact: update${typeName}(input: $input) { ${fields} } }`,
      variables: (request) => ({ input: replacement(request) }),
      respond: ({ artifact }) => answer(200, artifact),
      errors: [...BODY_ERRORS, 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'OVERLOADED'],
    }),
    route<{ id: string }>({
      method: 'delete',
      path: `/${name}/:id`,
      summary: `Delete an artifact of the kind ${name}`,
      operation: `mutation Delete${typeName}($id: ID!, $revision: [Int!]) {
        id: delete${typeName}(id: $id, revision: $revision) }`,
      variables: ({ params, headers }) => ({
        id: params.id,
        revision: parseIfMatch(headers['if-match']),
      }),
      respond: () => ({ status: 204, body: undefined }),
      errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'OVERLOADED'],
    }),
  ]
}

const BODY_ERRORS = ['BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

/** What a body says; what only the product sets is ignored, so that what was read can be sent back. */
function attributesOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('BAD_USER_INPUT', 'The request body: expected one JSON object')
  const { revision: _, created: __, updated: ___, ...attributes } = body as Record<string, unknown>
  return attributes
}

function replacement({ body, params, headers }: RestRequest): Record<string, unknown> {
  const attributes = attributesOf(body)
  if (attributes.id != null && attributes.id !== params.id)
    throw new AppError('BAD_USER_INPUT', `id: expected ${params.id}, as in the path, or no id`)
  return { ...attributes, id: params.id, revision: parseIfMatch(headers['if-match']) }
}

export const artifacts: readonly Route[] = ARTIFACT_RESOURCES.flatMap(artifactRoutes)
