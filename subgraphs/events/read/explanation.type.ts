import { Field, ObjectType } from 'type-graphql'
import { ExactJson } from '../json.type.ts'

@ObjectType({ description: 'A field and the value that it gave to a fingerprint.' })
export class FingerprintPart {
  @Field(() => String, {
    description: 'The name: `@title` and the like, or a key of `properties`.',
  })
  name!: string

  @Field(() => ExactJson, { description: 'Text, number or boolean; 42 and "42" differ.' })
  value!: unknown
}

@ObjectType({ description: 'What a fingerprint was formed of.' })
export class FingerprintExplanation {
  @Field(() => [FingerprintPart], {
    description: 'What formed it: the source and class where there are any, then the named fields.',
  })
  used!: FingerprintPart[]

  @Field(() => [String], {
    description: 'Names that had no text, number or boolean in the first occurrence: no effect.',
  })
  ignored!: string[]
}
