import { Field } from '@apollo/federation-internals'

type Rebase = Parameters<Field<object>['rebaseOn']>[0]

/**
 * Lets the planner ask an object that stands for an interface for `__typename`, where it would throw: on the way from one
 * such subgraph to another, for a field that requires another. What it is told there is the name of the interface, which
 * merging does not take for that of the type.
 */
export function allowTypeNamesOfInterfaceObjects(): void {
  const { rebaseOn } = Field.prototype
  Field.prototype.rebaseOn = function (this: Field<object>, given: Rebase) {
    const isName = given.errorIfCannotRebase && this.name === '__typename'
    const definition = isName ? given.parentType.typenameField() : undefined
    return definition ? this.withUpdatedDefinition(definition) : rebaseOn.call(this, given)
  }
}
