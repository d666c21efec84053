import {
  isRole,
  type Permission,
  ROLE_NAMES,
  ROLES,
  type Role,
} from '../../subgraphs/shared/access/permissions.ts'

export interface RoleSettings {
  /** Names of groups or roles elsewhere, and what they are here. */
  roleMap: ReadonlyMap<string, string>
  /** Of whoever has none of them; undefined: may do nothing. */
  defaultRole: Role | undefined
}

/** What somebody may do who was given these names elsewhere: all that the highest role may. */
export function permissionsOf(
  names: readonly string[],
  { roleMap, defaultRole }: RoleSettings,
): readonly Permission[] {
  const roles = names.map((name) => roleMap.get(name) ?? name).filter(isRole)
  const highest = ROLE_NAMES.findLast((role) => roles.includes(role)) ?? defaultRole
  return highest ? ROLES[highest] : []
}
