import { GraphQLJSONObject } from 'graphql-scalars'
import {
  Arg,
  Ctx,
  Directive,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../../platform/access/caller.ts'
import type { Credential, Identity } from '../../../platform/access/identity.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { AccountService } from '../account.service.ts'
import { Account, Session, Viewer } from '../account.type.ts'
import type { SignInService } from './sign-in.service.ts'

/** The caller, and how long that identity lasts. */
@Resolver(() => Viewer)
export class SignInResolver {
  constructor(
    private readonly signIn: SignInService,
    private readonly accounts: AccountService,
  ) {}

  @Query(() => Viewer, { description: 'Whoever asks, as this sign-in shows.' })
  viewer(@Ctx() { caller }: Context): Viewer & { id: string | undefined } {
    const { user, subject = null, permissions, account } = caller
    return { user, subject, permissions, id: account }
  }

  @FieldResolver(() => Account, {
    nullable: true,
    description: 'The own account; null where sign-ins are not kept here.',
  })
  account(@Root() { id }: { id?: string }) {
    return id ? this.accounts.find(id) : null
  }

  @Mutation(() => Session, {
    description:
      'Returns a token that replaces the password of the caller for an hour. FORBIDDEN where accounts are kept elsewhere.',
  })
  authenticate(@Ctx() { caller }: Context): Promise<Session> {
    return this.signIn.open(caller)
  }

  @Mutation(() => Boolean, { description: 'Ends the session of this token. False without one.' })
  signOut(
    @Ctx() { caller }: Context,
    @Arg('everywhere', () => Boolean, {
      defaultValue: false,
      description: 'End all own sessions.',
    })
    everywhere: boolean,
  ): Promise<boolean> {
    return this.signIn.end(caller, everywhere)
  }

  /** Asked by the gateway itself, for sessions of open streams; no client can see it. */
  @Directive('@inaccessible')
  @Query(() => [ID], { description: 'Those of sessions that have ended.' })
  endedSessions(
    @Arg('ids', () => [ID], { description: 'Sessions of open streams.' }) ids: string[],
  ): Promise<string[]> {
    return this.signIn.ended(ids)
  }

  /** Asked by the gateway itself, before it knows the caller; no client can see it. */
  @Directive('@inaccessible')
  @Query(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The user of valid credentials; null for invalid ones.',
  })
  async identify(
    @Arg('credential', () => GraphQLJSONObject, { description: 'What was brought.' })
    credential: Credential,
    @Arg('isRecheck', () => Boolean, {
      defaultValue: false,
      description:
        'Whether the gateway has seen these credentials valid before: then they are no guess.',
    })
    isRecheck: boolean,
    @Ctx() { caller }: Context,
  ): Promise<Identity | null> {
    const { address = '', requestId } = caller
    const identity = isRecheck
      ? await this.signIn.recheck(credential)
      : await this.signIn.identify(credential, { address, requestId })
    if (identity?.expiresAt === undefined) return identity
    return { ...identity, lifetimeMs: identity.expiresAt - currentTime().getTime() }
  }
}
