import { useAssay } from './_support/product.ts'
import './killed/callbacks.ts'
import './killed/executions.ts'
import './killed/never-stuck.ts'
import './killed/repeated.ts'

/** The process that runs executions is killed: the worker, or the only one there is. Or it is frozen, or loses its database. */
useAssay()
