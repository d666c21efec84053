import { GraphQLJSONObject } from 'graphql-scalars'
import {
  Arg,
  Ctx,
  Directive,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../../platform/access/caller.ts'
import type { SessionGrant } from '../../../platform/access/session-grant.ts'
import type * as domain from './browser-session.entity.ts'
import type { BrowserSessionService } from './browser-session.service.ts'

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

/** Sessions of browsers: each user sees and ends the own ones, administrators all. */
@Resolver(() => BrowserSession)
export class BrowserSessionResolver {
  constructor(private readonly service: BrowserSessionService) {}

  @Query(() => [BrowserSession], {
    description: 'Sessions of browsers, the newest first, at most 1000.',
  })
  browserSessions(
    @Arg('everyone', () => Boolean, {
      defaultValue: false,
      description: 'Those of all users; for administrators.',
    })
    everyone: boolean,
    @Ctx() { caller }: Context,
  ): Promise<domain.BrowserSession[]> {
    return this.service.list(caller, everyone)
  }

  @FieldResolver()
  isCurrent(@Root() { id }: domain.BrowserSession, @Ctx() { caller }: Context): boolean {
    return id === caller.session
  }

  @Mutation(() => ID, {
    description:
      'Ends a session of a browser, with its streams within a second, and answers its id. Administrators end those of all users.',
  })
  async endBrowserSession(
    @Arg('id', () => ID, { description: 'Which session.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<string> {
    await this.service.end(id, caller)
    return id
  }

  /** Asked by the gateway itself, which keeps the secret in a cookie; no client can see it. */
  @Directive('@inaccessible')
  @Mutation(() => GraphQLJSONObject, { description: 'Opens a session for the caller.' })
  async openBrowserSession(
    @Arg('browser', () => String, { description: 'What the browser says of itself.' })
    browser: string,
    @Ctx() { caller }: Context,
    @Arg('grant', () => GraphQLJSONObject, {
      nullable: true,
      description: 'Of the issuer: for how long, and what renews it.',
    })
    grant: SessionGrant | null = null,
    @Arg('replaced', () => [String], {
      defaultValue: [],
      description: 'Hashes of the secrets of sessions that end with it.',
    })
    replaced: string[] = [],
  ) {
    const { secret, session } = await this.service.open(caller, browser, grant, replaced)
    const { id, created, expires, ends } = session
    return { secret, id, created, expires, ends }
  }
}
