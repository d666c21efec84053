import { createUnionType, Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'An execution and its result so far.' })
export class ExecutionResult {
  @Field(() => ID, { description: 'Identifies the result.' })
  id!: string
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A scenario that can be executed.' })
export class TestCase {
  @Field(() => ID, { description: 'Opaque; chosen by the client or generated.' })
  id!: string
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'Scenarios that are executed together.' })
export class Suite {
  @Field(() => ID, { description: 'Opaque; chosen by the client or generated.' })
  id!: string
}

export const ExecutionContext = createUnionType({
  name: 'ExecutionContext',
  description: 'What an execution executes.',
  types: () => [TestCase, Suite] as const,
})
