import { Field } from '@apollo/federation-internals'
import { overriding } from './fix.ts'

type Rebase = Parameters<Field<object>['rebaseOn']>[0]

/**
 * Defect: a field of one interface object that requires a field of another one, which requires a field in turn, cannot
 * be planned. The planner asks the second one for `__typename`, which `Field.rebaseOn` refuses since
 * https://github.com/apollographql/federation/pull/2886.
 *
 *     a: type Query { ms: [M] } interface M @key(fields: "id") { id: ID! x: String } type A1 implements M …
 *     b: type M @key(fields: "id") @interfaceObject { id: ID! x: String @external b: String @requires(fields: "x") }
 *     c: type M @key(fields: "id") @interfaceObject { id: ID! b: String @external c: String @requires(fields: "b") }
 *     { ms { c } } → Cannot add selection of field "M.__typename" to selection set of parent type "M"
 *
 * Here it may ask. The answer is the name of the interface, which merging does not take for that of the type.
 * Can go when the planner leaves `__typename` out of such fetches.
 */
export const interfaceObjectTypename = overriding(
  () => Field.prototype as Field<object>,
  'rebaseOn',
  (rebaseOn) =>
    function (this: Field<object>, given: Rebase) {
      const isName = given.errorIfCannotRebase && this.name === '__typename'
      const definition = isName ? given.parentType.typenameField() : undefined
      return definition ? this.withUpdatedDefinition(definition) : rebaseOn.call(this, given)
    },
)
