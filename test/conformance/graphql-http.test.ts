import { useAssay } from '../support/e2e/product.ts'
import './graphql-http/audits.ts'
import './graphql-http/refused.ts'

/** Follows the specification of GraphQL over HTTP, with further refusals. */
useAssay()
