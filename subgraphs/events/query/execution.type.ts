import { createUnionType, Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'The execution of a scenario or suite.' })
export class ExecutionResult {
  @Field(() => ID, { description: 'Names the execution.' })
  id!: string
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A scenario.' })
export class TestCase {
  @Field(() => ID, { description: 'Names the scenario.' })
  id!: string
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A suite of scenarios.' })
export class Suite {
  @Field(() => ID, { description: 'Names the suite.' })
  id!: string
}

export const ExecutionContext = createUnionType({
  name: 'ExecutionContext',
  description: 'What is executed.',
  types: () => [TestCase, Suite] as const,
})
