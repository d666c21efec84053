import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars'
import { Field, InputType, ObjectType } from 'type-graphql'
import type { Expectation } from '../../../../runner/expectations/expectation.ts'

@ObjectType({ description: 'Whether a scenario could be stored and executed.' })
export class ScenarioValidation {
  @Field(() => Boolean, { description: 'Whether it could be stored, and executed here.' })
  isValid!: boolean

  @Field(() => String, {
    nullable: true,
    description: 'The first fault: where it is and what was expected there; null without one.',
  })
  message!: string | null

  @Field(() => [String], {
    description:
      'Every fault, up to 100; those of form alone, where there are any, then those of what it holds, then steps that this server does not run, then what it names that does not exist.',
  })
  faults!: string[]
}

@InputType({ description: 'What is expected of the result of a step.' })
export class ExpectationInput implements Omit<Expectation, 'assert'> {
  @Field(() => String, { nullable: true, description: 'What a failure is called.' })
  name?: string

  @Field(() => String, {
    nullable: true,
    description: 'JSONPath (RFC 9535) into the result; the whole result when absent.',
  })
  path?: string

  @Field(() => String, { description: 'The comparison, such as equals.' })
  assert!: string

  @Field(() => GraphQLJSON, { nullable: true, description: 'What is expected.' })
  value?: unknown
}

@InputType({ description: 'An expectation, and what it is to look at.' })
export class EvaluateExpectationInput {
  @Field(() => ExpectationInput, { description: 'What is expected.' })
  expectation!: ExpectationInput

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'The result of a step: what a function returned, or such as `{status, headers, body}` of a request. No result when absent.',
  })
  actual?: unknown

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether upper and lower case are the same.',
  })
  caseInsensitiveCompare!: boolean
}

@ObjectType({ description: 'What became of an expectation.' })
export class ExpectationEvaluation {
  @Field(() => Boolean, { description: 'Whether it is met.' })
  isMet!: boolean

  @Field(() => String, {
    nullable: true,
    description: 'The expected and the actual value; null if the expectation holds.',
  })
  message!: string | null

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'What the path selects; null when it is met.',
  })
  actualValue!: unknown
}

@ObjectType({ description: 'Requests as steps of a scenario, which nothing has stored.' })
export class RequestSteps {
  @Field(() => String, { description: 'What they are called as a whole.' })
  name!: string

  @Field(() => String, {
    nullable: true,
    description: 'Address that the urls of the steps are below; null where the text names none.',
  })
  baseUrl!: string | null

  @Field(() => [GraphQLJSONObject], { description: 'Steps as a scenario has them.' })
  steps!: object[]

  @Field(() => [String], {
    description: 'Names of the secrets that the environment must have; no step has their values.',
  })
  secrets!: string[]

  @Field(() => Boolean, { description: 'Whether they sign in with the host credentials.' })
  signsIn!: boolean
}
