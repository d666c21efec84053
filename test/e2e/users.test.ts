import { useAssay } from '../support/e2e/product.ts'
import { USERS_ENV } from '../support/e2e/users.ts'
import './users/accounts-command.ts'
import './users/caches.ts'
import './users/early-refusals.ts'
import './users/mcp.ts'
import './users/sessions.ts'
import './users/shared-streams.ts'
import './users/sign-in.ts'

/** A product that keeps the accounts of its users. */
useAssay({ env: { ...USERS_ENV, MCP: 'on', MCP_WRITE: 'on' } })
