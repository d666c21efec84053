import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { administrationSearch } from './administration/search.ts'
import { Shell } from './app/shell.tsx'
import { callbackSearch } from './callbacks/search.ts'
import { eventSearch } from './events/search.ts'
import { executionView } from './executions/execution-search.ts'
import { executionSearch } from './executions/search.ts'
import { overviewSearch } from './overview/search.ts'
import { nameSearch } from './repository/list-page.tsx'
import { revisionSearch } from './repository/revision-search.ts'
import { compareSearch, trendSearch } from './trends/search.ts'
import { Empty, Page } from './ui/parts.tsx'
import { Loading, Problem } from './ui/waiting.tsx'

const root = createRootRoute({ component: Shell })
const getParentRoute = () => root

const routes = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: overviewSearch,
    component: lazyRouteComponent(() => import('./overview/overview.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/executions',
    validateSearch: executionSearch,
    component: lazyRouteComponent(() => import('./executions/list.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/executions/compare',
    validateSearch: compareSearch,
    component: lazyRouteComponent(() => import('./trends/compare.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/executions/$id',
    validateSearch: executionView,
    component: lazyRouteComponent(() => import('./executions/execution.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/events',
    validateSearch: eventSearch,
    component: lazyRouteComponent(() => import('./events/list.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/events/$id',
    component: lazyRouteComponent(() => import('./events/event.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/trends',
    validateSearch: trendSearch,
    component: lazyRouteComponent(() => import('./trends/trends.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/scenarios',
    validateSearch: nameSearch,
    component: lazyRouteComponent(() => import('./repository/scenarios.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/scenarios/new',
    component: lazyRouteComponent(() => import('./repository/scenario-editor.tsx'), 'NewScenario'),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/scenarios/$id',
    component: lazyRouteComponent(() => import('./repository/scenario.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/scenarios/$id/edit',
    validateSearch: revisionSearch,
    component: lazyRouteComponent(() => import('./repository/scenario-editor.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/suites',
    validateSearch: nameSearch,
    component: lazyRouteComponent(() => import('./repository/suites.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/suites/new',
    component: lazyRouteComponent(() => import('./repository/suite-editor.tsx'), 'NewSuite'),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/suites/$id/edit',
    validateSearch: revisionSearch,
    component: lazyRouteComponent(() => import('./repository/suite-editor.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/suites/$id',
    component: lazyRouteComponent(() => import('./repository/suite.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/components',
    validateSearch: nameSearch,
    component: lazyRouteComponent(() => import('./repository/components.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/components/new',
    component: lazyRouteComponent(() => import('./repository/component.tsx'), 'NewComponent'),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/components/$id',
    validateSearch: revisionSearch,
    component: lazyRouteComponent(() => import('./repository/component.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/environments',
    validateSearch: nameSearch,
    component: lazyRouteComponent(() => import('./repository/environments.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/environments/new',
    component: lazyRouteComponent(
      () => import('./repository/environment-editor.tsx'),
      'NewEnvironment',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/environments/$id/edit',
    validateSearch: revisionSearch,
    component: lazyRouteComponent(() => import('./repository/environment-editor.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/repository/environments/$id',
    component: lazyRouteComponent(() => import('./repository/environment.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/callbacks',
    validateSearch: callbackSearch,
    component: lazyRouteComponent(() => import('./callbacks/callbacks.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/administration',
    validateSearch: administrationSearch,
    component: lazyRouteComponent(() => import('./administration/administration.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/configuration/settings',
    component: lazyRouteComponent(() => import('./configuration/settings.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/configuration/about',
    component: lazyRouteComponent(() => import('./configuration/about.tsx')),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: () => (
    <Page title="Loading">
      <Loading />
    </Page>
  ),
  defaultErrorComponent: ({ error, reset }) => (
    <Page title="This page failed">
      <Problem message={error instanceof Error ? error.message : String(error)} retry={reset} />
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
