import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Artifact } from '../artifact.type.ts'

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

@ObjectType({ implements: Artifact, description: 'A piece of software that scenarios test.' })
@Directive('@key(fields: "id")')
export class Component extends Artifact {
  @Field(() => ComponentLanguage, { description: 'Language of `sourceCode`.' })
  language!: ComponentLanguage

  @Field(() => String, { description: 'A module whose exported functions scenarios call.' })
  sourceCode!: string
}

@InputType({ description: 'A component to store.' })
export class CreateComponentInput {
  @Field(() => ID, { nullable: true, description: 'Generated (UUIDv7) when absent.' })
  id?: string | null

  @Field(() => String, { description: 'Unique among components.' })
  name!: string

  @Field(() => String, { nullable: true, description: 'Free text.' })
  description?: string | null

  @Field(() => ComponentLanguage, {
    defaultValue: ComponentLanguage.JAVASCRIPT,
    description: 'Language of the source.',
  })
  language!: ComponentLanguage

  @Field(() => String, { description: 'A module whose exported functions scenarios call.' })
  sourceCode!: string
}

@InputType({ description: 'Replaces every attribute of a component.' })
export class UpdateComponentInput extends CreateComponentInput {
  @Field(() => ID, { description: 'Which component.' })
  declare id: string

  @Field(() => Int, {
    nullable: true,
    description: 'Refuses the change unless this is the stored revision.',
  })
  revision?: number | null
}
