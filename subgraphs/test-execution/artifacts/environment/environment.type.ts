import { GraphQLScalarType } from 'graphql'
import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars'
import { Directive, Field, InputType, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'

export const Runner = enumType('Runner', 'What can carry out a step of a scenario.', {
  CALL: 'Calls a function of a component.',
  HTTP: 'Sends an HTTP request.',
  GRAPHQL: 'Sends a GraphQL operation.',
  COMMAND: 'Starts a program on the machine of the worker.',
})
export type Runner = keyof typeof Runner

@ObjectType({ description: 'A secret of an environment. Its value is never shown.' })
export class Secret {
  @Field(() => String, { description: 'Its name, by which scenarios use it.' })
  name!: string
}

/** A scalar, because an error about a field of an input object would show the object, and with it the value. */
export const SecretInput = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  name: 'SecretInput',
  description:
    'An object with the `name` of a secret and its `value`, both texts; a value has at least 4 characters. Without `value`, or with null, a stored secret keeps its value.',
  specifiedByURL: null,
})

type Variables = Record<string, string | number | boolean>
const VARIABLES = 'Name → text, number or boolean, for scenarios to use.'

@ObjectType()
@InputType()
abstract class EnvironmentFields {
  @Field(() => String, {
    nullable: true,
    description: 'Address (http or https) below which relative addresses of steps lie.',
  })
  baseUrl!: string | null

  @Field(() => [String], {
    defaultValue: [],
    description:
      'Hosts that steps may reach, each with or without a port; `*.` stands for any subdomain. The host of `baseUrl` need not be listed.',
  })
  allowedHosts!: string[]

  @Field(() => [Runner], {
    defaultValue: [Runner.CALL, Runner.HTTP, Runner.GRAPHQL],
    description: 'What may carry out steps here.',
  })
  runners!: Runner[]
}

@Directive('@key(fields: "id")')
@ObjectType({ implements: Artifact, description: 'A place where scenarios run.' })
export class Environment extends artifactOf(EnvironmentFields) {
  @Field(() => GraphQLJSONObject, { description: VARIABLES })
  variables!: Variables

  @Field(() => [Secret], { description: 'Its secrets, without their values.' })
  secrets!: Secret[]
}

export const EnvironmentConnection = connectionType(() => Environment, 'Environment')

@InputType()
export class EnvironmentInput extends EnvironmentFields {
  @Field(() => GraphQLJSONObject, { nullable: true, description: VARIABLES })
  variables?: Variables | null

  @Field(() => [SecretInput], {
    nullable: true,
    description:
      'Its secrets, stored sealed. On update, those that are not listed are removed; when this is absent, all stay.',
  })
  secrets?: { name: string; value?: string | null }[] | null
}
