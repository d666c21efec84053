import { GraphQLJSONObject } from 'graphql-scalars'
import { ArgsType, Field, Int } from 'type-graphql'
import { PageArgs } from '../../../../platform/paging/page.args.ts'
import { SortInput } from '../../../../platform/paging/sort.args.ts'
import type { ListRequest } from './artifact-list.service.ts'

/** The arguments of every list of artifacts. */
@ArgsType()
export class ListArgs extends PageArgs implements ListRequest {
  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Attribute → value, all of which must match, case-sensitively. In a text `*` is any text and `\\*` a star; a list means any of; null means absent; an object reaches into the attribute. Of an attribute that is a list one element must match.',
  })
  filter?: Record<string, unknown> | null

  @Field(() => [SortInput], {
    nullable: true,
    description:
      'The keys of the order, the first one counting most; ties are ordered by id. An absent description counts as an empty one.',
  })
  sort?: SortInput[] | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of items to skip, for numbered pages. Prefer `after`, which inserts cannot shift.',
  })
  offset?: number | null
}
