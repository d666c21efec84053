import type { Row } from '../row.ts'
import { authentication as eventAuthentication } from './events/authentication.ts'
import { clients } from './events/clients.ts'
import { endpoints } from './events/endpoints.ts'
import { errors as eventErrors } from './events/errors.ts'
import { events } from './events/executions.ts'
import { fingerprint } from './events/fingerprint.ts'
import { heartbeats } from './events/heartbeats.ts'
import { ingestionResponse } from './events/ingestion-response.ts'
import { kept } from './events/kept.ts'
import * as eventEnd from './events/limits-versioning.ts'
import { notifications } from './events/notifications.ts'
import { rawEventFields } from './events/raw-event.ts'
import { receivers } from './events/receivers.ts'
import { service as eventService } from './events/service.ts'
import { states as eventStates } from './events/states.ts'
import { storedReceivers } from './events/stored-receivers.ts'
import { triggers as eventTriggers } from './events/triggers.ts'
import { repetitions } from './test-execution/again.ts'
import { artifact } from './test-execution/artifact.ts'
import { authentication } from './test-execution/authentication.ts'
import { callbacks } from './test-execution/callbacks.ts'
import { causes } from './test-execution/causes.ts'
import { clients as clientFunctions } from './test-execution/client-functions.ts'
import { crud } from './test-execution/crud.ts'
import { detailedResult } from './test-execution/detailed-result.ts'
import { errors } from './test-execution/errors.ts'
import { execute } from './test-execution/execute.ts'
import { executeComponent } from './test-execution/execute-component.ts'
import { executeControl } from './test-execution/execute-control.ts'
import { executionResult } from './test-execution/execution-result.ts'
import { explorer } from './test-execution/explorer.ts'
import { imports } from './test-execution/imports.ts'
import { isolation } from './test-execution/isolation.ts'
import * as end from './test-execution/limits-versioning.ts'
import { lists } from './test-execution/lists.ts'
import { origins } from './test-execution/origins.ts'
import { readResults } from './test-execution/read-results.ts'
import { resultParts } from './test-execution/result-parts.ts'
import { running } from './test-execution/running.ts'
import { schedules } from './test-execution/schedules.ts'
import { server } from './test-execution/server.ts'
import { service } from './test-execution/service.ts'
import { states } from './test-execution/states.ts'
import { suiteRules } from './test-execution/suite-rules.ts'
import { triggers } from './test-execution/triggers.ts'

/** Every rule of both contracts, in reading order. */
export const ROWS: readonly Row[] = [
  service,
  explorer,
  isolation,
  clientFunctions,
  artifact,
  executionResult,
  origins,
  detailedResult,
  states,
  suiteRules,
  crud,
  lists,
  execute,
  executeControl,
  executeComponent,
  repetitions,
  causes,
  schedules,
  triggers,
  imports,
  readResults,
  resultParts,
  authentication,
  server,
  running,
  callbacks,
  errors,
  end.limits,
  end.versioning,
  eventService,
  rawEventFields,
  fingerprint,
  kept,
  ingestionResponse,
  eventStates,
  endpoints,
  clients,
  eventAuthentication,
  events,
  notifications,
  receivers,
  storedReceivers,
  eventTriggers,
  heartbeats,
  eventErrors,
  eventEnd.limits,
  eventEnd.versioning,
].flat()
