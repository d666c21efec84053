import { Field, ID, ObjectType } from 'type-graphql'

@ObjectType({
  description: 'A sign-in of a browser. It ends when it is not used, and after a fixed time.',
})
export class BrowserSession {
  @Field(() => ID, { description: 'Names it; no secret.' })
  id!: string

  @Field(() => String, { description: 'The user who signed in.' })
  user!: string

  @Field(() => Boolean, { description: 'Whether this request uses it.' })
  isCurrent!: boolean

  @Field(() => Date, { description: 'Time of the sign-in.' })
  created!: Date

  @Field(() => Date, { description: 'Time of the last use, to the minute.' })
  lastUsed!: Date

  @Field(() => Date, { description: 'When it ends unless it is used (SESSION_IDLE_MINUTES).' })
  expires!: Date

  @Field(() => Date, {
    description: 'When it ends however much it is used (SESSION_LIFETIME_HOURS).',
  })
  ends!: Date

  @Field(() => String, { description: 'Address of the client at the sign-in.' })
  address!: string

  @Field(() => String, { description: 'What the browser said of itself.' })
  browser!: string
}
