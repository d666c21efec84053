import { Field, federationMetadata } from '@apollo/federation-internals'
import { overriding } from './fix.ts'

type Target = Parameters<Field<object>['typeIfAddedTo']>[0]

/**
 * Defect: the planner moves a selection to the fetch of a subgraph that knows one of its fields as external only, and so
 * does not resolve it.
 *
 *     b: type P @key(fields: "id") { id: ID! x: String c: String @external p: P @requires(fields: "c") }
 *     c: type Query { ps: [P] } type P @key(fields: "id") { id: ID! x: String @external c: String @requires(fields: "x") }
 *     { ps { p { x } } } → c is asked for its c without x, which only b resolves
 *
 * Text to file: "Field.typeIfAddedTo takes external fields for fields of the subgraph".
 * Can go when it looks at `isFieldExternal`.
 */
export const externalFields = overriding(
  () => Field.prototype as Field<object>,
  'typeIfAddedTo',
  (typeIfAddedTo) =>
    function (this: Field<object>, target: Target) {
      const known = target.kind === 'UnionType' ? undefined : target.field(this.name)
      const isExternal = known && federationMetadata(target.schema())?.isFieldExternal(known)
      return isExternal ? undefined : typeIfAddedTo.call(this, target)
    },
)
