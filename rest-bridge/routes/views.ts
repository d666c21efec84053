import type { GraphQLSchema } from 'graphql'
import { NO_CONTENT, ok, withTimestamps } from '../answers.ts'
import { arrayAnswer, arrayPage, type Listed, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { generatedId } from '../documents/description.ts'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Views')

const BODY_LIMIT = 16 * 1024
const ID = generatedId('viewId', 'Id of the view')
const VIEW = 'id name address isShared isStartPage isOwn created'
const EXAMPLE = { name: 'Failed on main', address: '/executions?state=FAILED' }

const viewBody = withTimestamps('created')

export const viewSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  View: outputSchema(graph, 'SavedView', VIEW),
  ViewToCreate: inputSchema(graph, 'CreateSavedViewInput'),
  ViewToChange: inputSchema(graph, 'UpdateSavedViewInput', { id: null }),
})

/** Saved views of pages. */
export const views: readonly Route[] = [
  route<{ savedViews: Listed<object> }>({
    method: 'get',
    path: '/view',
    summary: 'List the own saved views and the shared ones of others, the oldest first',
    parameters: PAGE.parameters,
    strictQuery: true,
    operation: `query SavedViews(${PAGE.variables}) {
      savedViews(${PAGE.arguments}) { nodes { ${VIEW} } ${PAGE.info} } }`,
    variables: parseCursorPage,
    respond: ({ savedViews }, request) => arrayAnswer(savedViews, request, viewBody),
    answers: { 200: arrayPage('View') },
  }),
  route<{ createSavedView: object }>({
    method: 'post',
    path: '/view',
    summary: 'Save a view',
    bodyLimit: BODY_LIMIT,
    body: { schema: ref('ViewToCreate'), example: EXAMPLE },
    operation: `mutation CreateSavedView($input: CreateSavedViewInput!) {
      createSavedView(input: $input) { ${VIEW} } }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: ({ createSavedView }) => ({ status: 201, body: viewBody(createSavedView) }),
    errors: ['CONFLICT'],
    answers: { 201: { description: 'The view', schema: ref('View') } },
  }),
  route<{ updateSavedView: object }>({
    method: 'patch',
    path: '/view/:viewId',
    summary: 'Change a saved view; absent fields stay',
    parameters: [ID],
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('ViewToChange'),
      example: { name: 'Failures of the team', isShared: true },
    },
    operation: `mutation UpdateSavedView($input: UpdateSavedViewInput!) {
      updateSavedView(input: $input) { ${VIEW} } }`,
    variables: ({ body, params }) => ({ input: { ...objectOf(body), id: params.viewId } }),
    respond: ({ updateSavedView }) => ok(viewBody(updateSavedView)),
    errors: ['NOT_FOUND', 'CONFLICT'],
    answers: { 200: { description: 'The view', schema: ref('View') } },
  }),
  route({
    method: 'delete',
    path: '/view/:viewId',
    summary: 'Delete a saved view',
    parameters: [ID],
    operation: 'mutation DeleteSavedView($id: ID!) { deleteSavedView(id: $id) }',
    variables: ({ params }) => ({ id: params.viewId }),
    respond: () => NO_CONTENT,
    errors: ['NOT_FOUND'],
    answers: { 204: { description: 'It is deleted' } },
  }),
]
