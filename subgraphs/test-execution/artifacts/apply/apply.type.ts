import { GraphQLScalarType } from 'graphql'
import { GraphQLJSON } from 'graphql-scalars'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import type { RawArtifact } from './given-artifacts.ts'

/** A scalar, because an error about a field of an input object would show the object, and with it values of secrets. */
export const ArtifactFileInput = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  name: 'ArtifactFileInput',
  description:
    'An artifact: an object with `kind` (component, testcase, suite, environment, channel, rule, silence, receiver, schedule or trigger), `id`, `name` (the id if absent) and the attributes of its kind.',
  specifiedByURL: null,
})

@InputType({ description: 'Artifacts that are stored together.' })
export class ApplyArtifactsInput {
  @Field(() => String, {
    description:
      'Name of the set that the artifacts belong to, such as the name of a repository. An artifact belongs to one set.',
  })
  set!: string

  @Field(() => [ArtifactFileInput], { description: 'All artifacts of the set, 1 000 at most.' })
  artifacts!: RawArtifact[]

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Check everything and return the changes, but store nothing.',
  })
  dryRun!: boolean

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Delete what was applied in this set before and is not among `artifacts`.',
  })
  prune!: boolean
}

export const ApplyAction = enumType('ApplyAction', 'What became of an artifact that was applied.', {
  CREATED: 'It is new.',
  UPDATED: 'It was replaced and has a new revision.',
  UNCHANGED: 'It was the same already and keeps its revision.',
  DELETED: 'It was pruned.',
})
export type ApplyAction = keyof typeof ApplyAction

@ObjectType({ description: 'An attribute before and after.' })
export class ArtifactAttributeChange {
  @Field(() => String, { description: 'Name of the attribute.' })
  name!: string

  @Field(() => GraphQLJSON, { nullable: true, description: 'Its value before, or null.' })
  before!: unknown

  @Field(() => GraphQLJSON, { nullable: true, description: 'Its value after, or null.' })
  after!: unknown
}

@ObjectType({ description: 'What became of one artifact.' })
export class ArtifactChange {
  @Field(() => String, { description: 'Kind of the artifact, such as component or rule.' })
  kind!: string

  @Field(() => ID, { description: 'Unique among the changes of all calls.' })
  id!: string

  @Field(() => ID, { description: 'Id of the artifact.' })
  artifactId!: string

  @Field(() => ApplyAction, { description: 'What became of it.' })
  action!: ApplyAction

  @Field(() => Int, { nullable: true, description: 'Its revision after; null once deleted.' })
  revision!: number | null

  @Field(() => [ArtifactAttributeChange], {
    description: 'What differs. Values of secrets are never shown.',
  })
  attributes!: ArtifactAttributeChange[]
}

@ObjectType({ description: 'What became of a set of artifacts.' })
export class ApplyResult {
  @Field(() => String, { description: 'The set.' })
  set!: string

  @Field(() => Boolean, { description: 'Whether nothing was stored.' })
  dryRun!: boolean

  @Field(() => [ArtifactChange], {
    description: 'Every artifact of the set, each behind those that it names; deleted ones last.',
  })
  changes!: ArtifactChange[]
}
