import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'

export const ComponentLanguage = enumType(
  'ComponentLanguage',
  'What the source of a component is written in.',
  {
    JAVASCRIPT: 'An ECMAScript module.',
    TYPESCRIPT: 'A TypeScript module; coverage counts its own lines.',
  },
)
export type ComponentLanguage = keyof typeof ComponentLanguage

@ObjectType()
@InputType()
abstract class ComponentFields {
  @Field(() => ComponentLanguage, {
    defaultValue: ComponentLanguage.JAVASCRIPT,
    description: 'Language of `sourceCode`.',
  })
  language!: ComponentLanguage

  @Field(() => String, { description: 'A module whose exported functions scenarios call.' })
  sourceCode!: string
}

@Directive('@key(fields: "id")')
@ObjectType({ implements: Artifact, description: 'A piece of software that scenarios test.' })
export class Component extends artifactOf(ComponentFields) {
  /** Id; the field of this name resolves it. */
  environment!: string | null
}

export const ComponentConnection = connectionType(() => Component, 'Component')

@InputType()
export class ComponentInput extends ComponentFields {
  @Field(() => ID, { nullable: true, description: 'The environment that it is deployed in.' })
  environment?: string | null
}
