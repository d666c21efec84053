import { runSql, type Sql } from '../database/sql.ts'
import { isRole, type Permission, ROLES } from './permissions.ts'

const ROLE_OF = {
  name: 'role-of-account',
  text: 'select role from accounts.account where id = $1::uuid and active',
}

/**
 * Permissions of an account for work that runs without its user: those that it had when it asked for the work, and has
 * still. All parts of the product share a database; here the others read accounts.
 */
export async function remainingPermissions(
  sql: Sql,
  account: string,
  permissions: readonly Permission[],
): Promise<Permission[]> {
  const [row] = await runSql<{ role: string }>(sql, ROLE_OF, [account])
  const held: readonly Permission[] = row && isRole(row.role) ? ROLES[row.role] : []
  return permissions.filter((permission) => held.includes(permission))
}
