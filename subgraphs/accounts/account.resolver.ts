import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../platform/access/caller.ts'
import { PageArgs } from '../../platform/paging/page.args.ts'
import { counted } from '../../platform/paging/selects-total.ts'
import type * as domain from './account.entity.ts'
import type { AccountService } from './account.service.ts'
import {
  Account,
  AccountConnection,
  ApiToken,
  ChangePasswordInput,
  CreateAccountInput,
  CreateApiTokenInput,
  NewAccount,
  NewApiToken,
  UpdateAccountInput,
} from './account.type.ts'
import type { TokenService } from './token.service.ts'

/** Accounts and their tokens. */
@Resolver(() => Account)
export class AccountResolver {
  constructor(
    private readonly service: AccountService,
    private readonly tokens: TokenService,
  ) {}

  @Query(() => AccountConnection, { description: 'All accounts, by e-mail.' })
  accounts(@Args(() => PageArgs) page: PageArgs, @Info() info: GraphQLResolveInfo) {
    return this.service.page(counted(page, info))
  }

  @Query(() => Account, { nullable: true, description: 'The account with this id, or null.' })
  account(@Arg('id', () => ID, { description: 'Which account.' }) id: string) {
    return this.service.find(id)
  }

  @FieldResolver(() => [ApiToken], { description: 'Its API tokens, the oldest first.' })
  apiTokens(@Root() { id }: domain.Account) {
    return this.tokens.ofAccount(id)
  }

  @Mutation(() => NewAccount, {
    description: 'Makes an account. CONFLICT when its e-mail is taken.',
  })
  createAccount(
    @Arg('input', () => CreateAccountInput, { description: 'Who.' }) input: CreateAccountInput,
  ): Promise<NewAccount> {
    return this.service.create(input)
  }

  @Mutation(() => Account, {
    description:
      'Changes an account and ends its sessions. CONFLICT when no administrator would be left.',
  })
  updateAccount(
    @Arg('input', () => UpdateAccountInput, { description: 'What changes.' })
    { id, ...changes }: UpdateAccountInput,
  ): Promise<Account> {
    return this.service.change(id, changes)
  }

  @Mutation(() => ID, {
    description:
      'Removes an account with its API tokens and sessions, and answers its id. CONFLICT when no administrator would be left.',
  })
  async deleteAccount(
    @Arg('id', () => ID, { description: 'Which account.' }) id: string,
  ): Promise<string> {
    await this.service.delete(id)
    return id
  }

  @Mutation(() => Boolean, { description: 'Changes the own password and ends the own sessions.' })
  async changePassword(
    @Arg('input', () => ChangePasswordInput, { description: 'The old and the new one.' })
    { current, password }: ChangePasswordInput,
    @Ctx() { caller }: Context,
  ): Promise<boolean> {
    await this.service.changeOwnPassword(caller, current, password)
    return true
  }

  @Mutation(() => NewApiToken, {
    description: 'Makes an API token. Its secret is shown only here.',
  })
  createApiToken(
    @Arg('input', () => CreateApiTokenInput, { description: 'What for.' })
    input: CreateApiTokenInput,
    @Ctx() { caller }: Context,
  ): Promise<NewApiToken> {
    return this.tokens.create(input, caller)
  }

  @Mutation(() => ID, { description: 'Ends an API token at once, and answers its id.' })
  async revokeApiToken(
    @Arg('id', () => ID, { description: 'Which token.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<string> {
    await this.tokens.revoke(id, caller)
    return id
  }
}
