import { useAssay } from '../support/e2e/product.ts'
import './serving/bad-input.ts'
import './serving/cancel.ts'
import './serving/client-caches.ts'
import './serving/compression.ts'
import './serving/event-changes.ts'
import './serving/events.ts'
import './serving/execute.ts'
import './serving/numbers.ts'
import './serving/mcp.ts'
import './serving/request-id.ts'
import './serving/sockets.ts'
import './serving/start.ts'
import './serving/watch.ts'
import './serving/yaml.ts'

/** Tests that leave the processes of the product alone share one. */
useAssay({ env: { MCP: 'on', MCP_WRITE: 'on' } })
