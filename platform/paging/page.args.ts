import { ArgsType, Field, Int } from 'type-graphql'
import type { PageArgs as Args } from './page.ts'

@ArgsType()
export class PageArgs implements Args {
  @Field(() => Int, { nullable: true, description: 'Items at most, from 1 to 1000; 50 if absent.' })
  first?: number | null

  @Field(() => String, { nullable: true, description: 'The cursor behind which the page begins.' })
  after?: string | null

  @Field(() => Int, { nullable: true, description: 'Items at most, counted from the end.' })
  last?: number | null

  @Field(() => String, { nullable: true, description: 'The cursor before which the page ends.' })
  before?: string | null
}
