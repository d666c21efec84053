import type { Page } from 'playwright-core'

/** Pages while they load, fail, are cut off, or have nothing to show: each with what makes it so. */
export const STATES: Readonly<
  Record<string, { path: string; prepare(page: Page): Promise<unknown>; text: string }>
> = {
  'state-loading-overview': { path: '/', prepare: stall, text: 'Overview' },
  'state-loading-list': { path: '/executions', prepare: stall, text: 'Executions' },
  'state-failed-list': { path: '/executions', prepare: fail, text: 'The server cannot be reached' },
  'state-failed-overview': { path: '/', prepare: fail, text: 'The server cannot be reached' },
  'state-offline': {
    path: '/executions',
    prepare: cutOff,
    text: 'The connection to the server is lost',
  },
  'state-empty-filter': {
    path: '/executions?text=nothing-has-this-name',
    prepare: async () => {},
    text: 'No execution matches',
  },
  'state-query-fault': {
    path: '/events?q=status%3A',
    prepare: async () => {},
    text: 'Try again',
  },
  'state-no-page': {
    path: '/repository/nothing',
    prepare: async () => {},
    text: 'There is no page',
  },
}

const GRAPH = '**/graphql'

/** Requests without an answer. */
function stall(page: Page): Promise<unknown> {
  return page.route(GRAPH, () => {})
}

function fail(page: Page): Promise<unknown> {
  return page.route(GRAPH, (route) => route.abort('connectionrefused'))
}

/** Updates do not arrive any more; what was read stays. */
function cutOff(page: Page): Promise<unknown> {
  return page.routeWebSocket(GRAPH, (socket) => socket.close({ code: 1012 }))
}
