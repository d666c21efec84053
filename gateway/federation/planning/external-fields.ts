import { Field, federationMetadata } from '@apollo/federation-internals'

type Target = Parameters<Field<object>['typeIfAddedTo']>[0]

/** Lets no selection move to the fetch of a subgraph that knows one of its fields as external only. */
export function keepExternalFieldsOut(): void {
  const { typeIfAddedTo } = Field.prototype
  Field.prototype.typeIfAddedTo = function (this: Field<object>, target: Target) {
    const known = target.kind === 'UnionType' ? undefined : target.field(this.name)
    const isExternal = known && federationMetadata(target.schema())?.isFieldExternal(known)
    return isExternal ? undefined : typeIfAddedTo.call(this, target)
  }
}
