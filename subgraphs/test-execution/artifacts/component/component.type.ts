import { Directive, Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'

export enum ComponentLanguage {
  JAVASCRIPT = 'JAVASCRIPT',
  TYPESCRIPT = 'TYPESCRIPT',
}
registerEnumType(ComponentLanguage, {
  name: 'ComponentLanguage',
  description: 'What the source of a component is written in.',
  valuesConfig: {
    JAVASCRIPT: { description: 'An ECMAScript module.' },
    TYPESCRIPT: { description: 'A TypeScript module; coverage counts its own lines.' },
  },
})

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
