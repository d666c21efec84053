import { Field, InputType } from 'type-graphql'
import { enumType } from '../subgraph/enum-type.ts'

export const SortDirection = enumType('SortDirection', 'Which way a list is sorted.', {
  ASC: 'Smallest first; absent values last.',
  DESC: 'Greatest first; absent values before all others.',
})

@InputType({ description: 'A key to sort a list by.' })
export class SortInput {
  @Field(() => String, { description: 'Name of an attribute, as inputs call it.' })
  attribute!: string

  @Field(() => SortDirection, { defaultValue: 'ASC', description: 'Which way.' })
  direction!: 'ASC' | 'DESC'
}
