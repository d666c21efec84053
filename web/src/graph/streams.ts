import { requireSignIn } from './session.ts'
import { socket, waitMs } from './socket.ts'
import { report } from './trouble.ts'
import { createWatch } from './watch.ts'

/** Watches over the one connection of this page. */
export const watch = createWatch({
  subscribe: (payload, sink) => socket.subscribe(payload, sink),
  waitMs,
  requireSignIn,
  report,
})
