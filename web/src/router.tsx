import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { Shell } from './app/shell.tsx'
import { executionView } from './executions/execution-search.ts'
import { executionSearch } from './executions/search.ts'
import { Empty, Loading, Page, Problem } from './ui/parts.tsx'

const root = createRootRoute({ component: Shell })

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./executions/list.tsx')),
})
const executions = createRoute({
  getParentRoute: () => root,
  path: '/executions/',
  validateSearch: executionSearch,
  component: lazyRouteComponent(() => import('./executions/list.tsx')),
})
const execution = createRoute({
  getParentRoute: () => root,
  path: '/executions/$id',
  validateSearch: executionView,
  component: lazyRouteComponent(() => import('./executions/execution.tsx')),
})

export const router = createRouter({
  routeTree: root.addChildren([overview, executions, execution]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: () => (
    <Page title="Loading">
      <Loading />
    </Page>
  ),
  defaultErrorComponent: ({ error, reset }) => (
    <Page title="This page failed">
      <Problem message={error.message} retry={reset} />
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
