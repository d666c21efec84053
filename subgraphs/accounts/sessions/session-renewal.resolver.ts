import { GraphQLJSONObject } from 'graphql-scalars'
import { Arg, Directive, Float, Mutation, Resolver } from 'type-graphql'
import type { Identity } from '../../../platform/access/identity.ts'
import type { RenewalClaim, SessionGrant } from '../../../platform/access/session-grant.ts'
import type { SessionRenewalService } from './session-renewal.service.ts'

const SECRET = { description: 'In the cookie of the browser.' }

/** Asked by the gateway itself, which speaks with the issuer; no client can see any of it. */
@Resolver()
export class SessionRenewalResolver {
  constructor(private readonly renewals: SessionRenewalService) {}

  @Directive('@inaccessible')
  @Mutation(() => GraphQLJSONObject, {
    description: 'Lets one process ask the issuer for more, and answers its refresh token.',
  })
  claimSessionRenewal(@Arg('secret', () => String, SECRET) secret: string): Promise<RenewalClaim> {
    return this.renewals.claim(secret)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Gives a claim back that the issuer did not answer.' })
  async releaseSessionRenewal(
    @Arg('secret', () => String, SECRET) secret: string,
    @Arg('until', () => Float, { description: 'As the claim said it.' }) until: number,
    @Arg('refreshToken', () => String, {
      nullable: true,
      description: 'The one that is good by now; absent for the same as before.',
    })
    refreshToken: string | null,
  ): Promise<boolean> {
    await this.renewals.release(secret, until, refreshToken)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Stores what the issuer grants now.' })
  async renewSession(
    @Arg('secret', () => String, SECRET) secret: string,
    @Arg('identity', () => GraphQLJSONObject, { description: 'The user, with what is permitted.' })
    identity: Identity,
    @Arg('grant', () => GraphQLJSONObject, { description: 'For how long, and what renews it.' })
    grant: SessionGrant,
  ): Promise<boolean> {
    await this.renewals.renew(secret, identity, grant)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Ends a session that the issuer grants no more.' })
  async endRefusedSession(@Arg('secret', () => String, SECRET) secret: string): Promise<boolean> {
    await this.renewals.end(secret)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => String, {
    nullable: true,
    description: 'The refresh token of a session, to revoke it; null where it has none.',
  })
  sessionRefreshToken(@Arg('secret', () => String, SECRET) secret: string): Promise<string | null> {
    return this.renewals.tokenOf(secret)
  }
}
