import { useAssay } from '../support/e2e/product.ts'
import './graphql-http/audits.ts'
import './graphql-http/refused.ts'

/** What the specification of GraphQL over HTTP asks for, and what more is refused. */
useAssay()
