import type { Route } from './route.ts'
import { accounts } from './routes/accounts.ts'
import { apply } from './routes/apply.ts'
import { artifacts } from './routes/artifacts.ts'
import { attachments } from './routes/attachments.ts'
import { authentication } from './routes/authentication.ts'
import { badges } from './routes/badges.ts'
import { callbacks } from './routes/callbacks.ts'
import { dryRuns } from './routes/dry-runs.ts'
import { events } from './routes/events.ts'
import { executions } from './routes/executions.ts'
import { heartbeats } from './routes/heartbeats.ts'
import { imports } from './routes/imports.ts'
import { inline } from './routes/inline.ts'
import { notifications } from './routes/notifications.ts'
import { receivers } from './routes/receivers.ts'
import { resultCauses } from './routes/result-causes.ts'
import { resultLists } from './routes/result-lists.ts'
import { resultParts } from './routes/result-parts.ts'
import { resultStatistics } from './routes/result-statistics.ts'
import { resultSteps } from './routes/result-steps.ts'
import { results } from './routes/results.ts'
import { server } from './routes/server.ts'
import { sessions } from './routes/sessions.ts'
import { tokens } from './routes/tokens.ts'
import { triggers } from './routes/triggers.ts'
import { views } from './routes/views.ts'

/** The REST contract, top to bottom. */
export const routes: readonly Route[] = [
  ...authentication,
  ...artifacts,
  ...apply,
  ...executions,
  ...inline,
  ...triggers,
  ...resultLists,
  ...resultStatistics,
  ...resultCauses,
  ...results,
  ...resultSteps,
  ...attachments,
  ...imports,
  ...resultParts,
  ...callbacks,
  ...notifications,
  ...dryRuns,
  ...badges,
  ...events,
  ...receivers,
  ...heartbeats,
  ...accounts,
  ...tokens,
  ...sessions,
  ...views,
  ...server,
]
