import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { administrationSearch } from './administration/search.ts'
import { Shell } from './app/shell.tsx'
import { callbackSearch } from './callbacks/search.ts'
import { causeSearch } from './causes/search.ts'
import { eventSearch } from './events/search.ts'
import { executionView } from './executions/execution-search.ts'
import { executionSearch } from './executions/search.ts'
import { isReachable, UNREACHABLE } from './graph/request-error.ts'
import { overviewSearch } from './overview/search.ts'
import { nameSearch } from './repository/list-page.tsx'
import { compareSearch, trendSearch } from './trends/search.ts'
import { Empty, Page } from './ui/parts.tsx'
import { Loading, Problem } from './ui/waiting.tsx'

/** The revision that an editor starts with, instead of the one that is stored. */
const revisionSearch = ({ revision }: Record<string, unknown>): { revision?: number } =>
  typeof revision === 'number' ? { revision } : {}

const root = createRootRoute({ component: Shell })

/** A page, loaded when it is first shown. @param validateSearch what its address may hold */
const page = <const Path extends string, Search extends object = Record<never, never>>(
  path: Path,
  load: () => Promise<{ default: () => ReactNode }>,
  validateSearch: (given: Record<string, unknown>) => Search = () => ({}) as Search, // of none
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch,
    component: lazyRouteComponent(() => load().catch(whyNoFile)),
  })

/**
 * The router reloads for a file that does not arrive, as a later version has others. Without a server that would lose
 * the page and all drafts.
 * @throws always
 */
async function whyNoFile(error: unknown): Promise<never> {
  throw (await isReachable()) ? error : new Error(UNREACHABLE)
}

const routes = [
  page('/', () => import('./overview/overview.tsx'), overviewSearch),
  page('/executions', () => import('./executions/list.tsx'), executionSearch),
  page('/executions/compare', () => import('./trends/compare.tsx'), compareSearch),
  page('/executions/causes', () => import('./causes/causes.tsx'), causeSearch),
  page('/executions/causes/$id', () => import('./causes/cause.tsx')),
  page('/executions/$id', () => import('./executions/execution.tsx'), executionView),
  page('/events', () => import('./events/list.tsx'), eventSearch),
  page('/events/$id', () => import('./events/event.tsx')),
  page('/views', () => import('./views/views.tsx')),
  page('/trends', () => import('./trends/trends.tsx'), trendSearch),
  page('/repository/scenarios', () => import('./repository/scenarios.tsx'), nameSearch),
  page('/repository/scenarios/+new', () => import('./repository/scenario-editor.tsx')),
  page('/repository/scenarios/$id', () => import('./repository/scenario.tsx')),
  page(
    '/repository/scenarios/$id/edit',
    () => import('./repository/scenario-editor.tsx'),
    revisionSearch,
  ),
  page('/repository/suites', () => import('./repository/suites.tsx'), nameSearch),
  page('/repository/suites/+new', () => import('./repository/suite-editor.tsx')),
  page('/repository/suites/$id', () => import('./repository/suite.tsx')),
  page(
    '/repository/suites/$id/edit',
    () => import('./repository/suite-editor.tsx'),
    revisionSearch,
  ),
  page('/repository/schedules', () => import('./repository/schedules.tsx'), nameSearch),
  page('/repository/schedules/+new', () => import('./repository/schedule-editor.tsx')),
  page('/repository/schedules/$id', () => import('./repository/schedule.tsx')),
  page(
    '/repository/schedules/$id/edit',
    () => import('./repository/schedule-editor.tsx'),
    revisionSearch,
  ),
  page('/repository/triggers', () => import('./repository/triggers.tsx'), nameSearch),
  page('/repository/triggers/+new', () => import('./repository/trigger-editor.tsx')),
  page('/repository/triggers/$id', () => import('./repository/trigger.tsx')),
  page(
    '/repository/triggers/$id/edit',
    () => import('./repository/trigger-editor.tsx'),
    revisionSearch,
  ),
  page('/repository/components', () => import('./repository/components.tsx'), nameSearch),
  page('/repository/components/+new', () => import('./repository/component.tsx')),
  page('/repository/components/$id', () => import('./repository/component.tsx'), revisionSearch),
  page('/repository/environments', () => import('./repository/environments.tsx'), nameSearch),
  page('/repository/environments/+new', () => import('./repository/environment-editor.tsx')),
  page('/repository/environments/$id', () => import('./repository/environment.tsx')),
  page(
    '/repository/environments/$id/edit',
    () => import('./repository/environment-editor.tsx'),
    revisionSearch,
  ),
  page('/notifications/channels', () => import('./notifications/channels.tsx'), nameSearch),
  page('/notifications/channels/+new', () => import('./notifications/channel-editor.tsx')),
  page('/notifications/channels/$id', () => import('./notifications/channel.tsx')),
  page(
    '/notifications/channels/$id/edit',
    () => import('./notifications/channel-editor.tsx'),
    revisionSearch,
  ),
  page('/notifications/rules', () => import('./notifications/rules.tsx'), nameSearch),
  page('/notifications/rules/+new', () => import('./notifications/rule-editor.tsx')),
  page('/notifications/rules/$id', () => import('./notifications/rule.tsx')),
  page(
    '/notifications/rules/$id/edit',
    () => import('./notifications/rule-editor.tsx'),
    revisionSearch,
  ),
  page('/notifications/silences', () => import('./notifications/silences.tsx'), nameSearch),
  page('/notifications/silences/+new', () => import('./notifications/silence-editor.tsx')),
  page('/notifications/silences/$id', () => import('./notifications/silence.tsx')),
  page(
    '/notifications/silences/$id/edit',
    () => import('./notifications/silence-editor.tsx'),
    revisionSearch,
  ),
  page('/notifications/receivers', () => import('./notifications/receivers.tsx'), nameSearch),
  page('/notifications/receivers/+new', () => import('./notifications/receiver-editor.tsx')),
  page('/notifications/receivers/$id', () => import('./notifications/receiver.tsx')),
  page(
    '/notifications/receivers/$id/edit',
    () => import('./notifications/receiver-editor.tsx'),
    revisionSearch,
  ),
  page('/notifications/heartbeats', () => import('./notifications/heartbeats.tsx')),
  page('/callbacks', () => import('./callbacks/callbacks.tsx'), callbackSearch),
  page(
    '/administration',
    () => import('./administration/administration.tsx'),
    administrationSearch,
  ),
  page('/configuration/settings', () => import('./configuration/settings.tsx')),
  page('/configuration/about', () => import('./configuration/about.tsx')),
] as const

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['.table.scrolls > .rows'],
  search: { strict: true }, // without it a page is given what `validateSearch` left out, too
  defaultPendingComponent: () => (
    <Page title="Loading">
      <Loading />
    </Page>
  ),
  defaultErrorComponent: ({ error }) => (
    <Page title="This page failed">
      <Problem
        message={error instanceof Error ? error.message : String(error)}
        retry={() => void router.invalidate()}
      />
    </Page>
  ),
  defaultNotFoundComponent: () => (
    <Page title="Not found">
      <Empty icon="search" title="There is no page at this address">
        <Link to="/">To the overview</Link>
      </Empty>
    </Page>
  ),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
