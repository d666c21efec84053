import type { GraphQLSchema } from 'graphql'
import { ERRORS } from '../../formats/errors.ts'
import { accountSchemas } from '../routes/account-shape.ts'
import { applySchemas } from '../routes/apply.ts'
import { artifactSchemas } from '../routes/artifact-schemas.ts'
import { callbackSchemas } from '../routes/callbacks.ts'
import { dryRunSchemas } from '../routes/dry-runs.ts'
import { eventSchemas } from '../routes/event-schemas.ts'
import { heartbeatSchemas } from '../routes/heartbeats.ts'
import { importSchemas } from '../routes/imports.ts'
import { notificationSchemas } from '../routes/notifications.ts'
import { receiverSchemas } from '../routes/receivers.ts'
import { causeSchemas } from '../routes/result-causes.ts'
import { resultSchemas } from '../routes/result-schemas.ts'
import { serverSchemas } from '../routes/server.ts'
import { triggerSchemas } from '../routes/triggers.ts'
import { viewSchemas } from '../routes/views.ts'
import { type JsonSchema, object } from './json-schema.ts'

/** The schemas that rows of the route table name with `ref`. */
export const schemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  ...resultSchemas(graph),
  ...causeSchemas(graph),
  ...artifactSchemas(graph),
  ...applySchemas(graph),
  ...importSchemas(graph),
  ...eventSchemas(graph),
  ...heartbeatSchemas(graph),
  ...triggerSchemas(graph),
  ...callbackSchemas(graph),
  ...notificationSchemas(graph),
  ...receiverSchemas(graph),
  ...dryRunSchemas(graph),
  ...accountSchemas(graph),
  ...viewSchemas(graph),
  ...serverSchemas(graph),
  Failure: FAILURE,
})

/** The common error body. */
const FAILURE = object({
  timestamp: { type: 'string', description: 'When it was refused.' },
  status: { type: 'integer', description: 'The HTTP status.' },
  error: { type: 'string', description: 'The reason phrase of the status.' },
  message: { type: 'string', description: 'What is wrong, and what would be right.' },
  path: { type: 'string', description: 'Path of the request.' },
  code: { type: 'string', enum: Object.keys(ERRORS), description: 'What clients branch on.' },
  requestId: { type: 'string', description: 'Finds the request in the log.' },
})
