import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Field, ID, Info, InputType, ObjectType, Query, Resolver } from 'type-graphql'
import { connectionType } from '../../../platform/paging/connection.type.ts'
import { PageArgs } from '../../../platform/paging/page.args.ts'
import { readPage } from '../../../platform/paging/page.ts'
import { counted } from '../../../platform/paging/selects-total.ts'
import { type AuditRepository, isAuditKey } from './audit.repository.ts'

@ObjectType({ description: 'One action of a user.' })
class AuditEntry {
  @Field(() => ID, { description: 'Names the entry.' })
  id!: string

  @Field(() => Date, { description: 'When it was asked for.' })
  at!: Date

  @Field(() => String, { nullable: true, description: 'Who; null without a sign-in.' })
  user!: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'Issuer and subject of a user whom an issuer signed in: users of one name differ in it. Null for others, and in entries from before it was kept.',
  })
  subject!: string | null

  @Field(() => String, {
    description:
      'The mutation, such as `deleteSuite`; `signIn` and `failedSignIn` for a right and a wrong password.',
  })
  action!: string

  @Field(() => String, {
    nullable: true,
    description:
      'Id or name of what it was done to, where there is one. What changes several has an entry for each.',
  })
  target!: string | null

  @Field(() => String, { description: 'The request, as the log names it.' })
  requestId!: string

  @Field(() => String, {
    nullable: true,
    description:
      'The address of the client; null where none is known, as for `npm run accounts` and entries from before it was kept.',
  })
  address!: string | null
}

@InputType({ description: 'Selects entries. An absent condition matches all.' })
class AuditFilter {
  @Field(() => String, { nullable: true, description: 'What this user did.' })
  user?: string | null

  @Field(() => String, { nullable: true, description: 'This mutation.' })
  action?: string | null

  @Field(() => String, { nullable: true, description: 'What was done to this.' })
  target?: string | null

  @Field(() => Date, { nullable: true, description: 'Not before this time.' })
  from?: Date | null

  @Field(() => Date, { nullable: true, description: 'Before this time.' })
  to?: Date | null
}

const AuditEntryConnection = connectionType(() => AuditEntry, 'AuditEntry')

@Resolver()
export class AuditResolver {
  constructor(private readonly entries: AuditRepository) {}

  @Query(() => AuditEntryConnection, {
    description:
      'Who changed or ran what, and who signed in or failed to with a password; the latest first. Sent events are not in it.',
  })
  auditLog(
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
    @Arg('filter', () => AuditFilter, {
      nullable: true,
      description: 'Which of them; all if absent.',
    })
    filter?: AuditFilter | null,
  ) {
    return this.entries.page(readPage(counted(page, info), isAuditKey), filter ?? {})
  }
}
