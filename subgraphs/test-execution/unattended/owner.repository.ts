import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { badInput } from '../../../formats/errors.ts'
import { remainingPermissions } from '../../../platform/access/account-rights.repository.ts'
import { type Caller, userKeyOf } from '../../../platform/access/caller.ts'
import type { Sql } from '../../../platform/database/sql.ts'
import type { Owner, Unattended } from './owner.ts'

/** Rights of owners. */
export class OwnerRepository {
  constructor(
    private readonly em: EntityManager,
    /** False with AUTH_MODE=none. */
    private readonly needsSignIn: boolean,
  ) {}

  /** @returns what the owner may do now, as then and still */
  async callerOf(
    { user, subject, account, permissions }: Owner,
    requestId: string,
  ): Promise<Caller> {
    const held = account
      ? await remainingPermissions(this.em.fork(), account, permissions)
      : permissions
    // Stored with AUTH_MODE=none, by a caller who had all permissions without a sign-in.
    const isLost = this.needsSignIn && userKeyOf({ user, ...(subject && { subject }) }) === null
    return {
      requestId,
      user,
      permissions: isLost ? [] : held,
      ...(subject && { subject }),
      ...(account && { account }),
    }
  }
}

/** @throws AppError BAD_USER_INPUT where a scenario needs credentials and none are named, or where they are not there */
export async function checkCredentials(
  em: Sql,
  { target, environment, credentialsFrom }: Unattended,
): Promise<void> {
  const kysely = em.getKysely()
  if (credentialsFrom !== undefined) {
    const { rows } = await sql`
      select from test_execution.artifact
      where id_space = 'environment' and id = ${environment}
        and fields -> 'secrets' @> ${JSON.stringify([{ name: credentialsFrom }])}::jsonb`.execute(
      kysely,
    )
    if (rows.length === 0)
      throw badInput(
        `credentialsFrom: the environment ${environment} has no secret ${credentialsFrom}`,
      )
    return
  }
  const { rows } = await sql<{ id: string }>`
    with recursive named(id) as (
      select ${target}::text
      union
      select further.id from named
      join test_execution.artifact as artifact on id_space = 'executable' and artifact.id = named.id
      cross join lateral jsonb_array_elements_text(
        coalesce(fields -> 'testCases', '[]') || coalesce(fields -> 'calledTestCases', '[]')
          || coalesce(fields -> 'setup', '[]') || coalesce(fields -> 'teardown', '[]')) as further(id))
    select artifact.id from named
    join test_execution.artifact as artifact on id_space = 'executable' and artifact.id = named.id
    where kind = 'testcase' and fields -> 'allowExecuteWithoutCredentials' is distinct from 'true'
    order by artifact.id limit 1`.execute(kysely)
  const [closed] = rows
  if (closed)
    throw badInput(
      `credentialsFrom: it is missing, and the testcase ${closed.id} needs host credentials; name a secret of the environment that holds them as USER_ID:PASSWORD`,
    )
}
