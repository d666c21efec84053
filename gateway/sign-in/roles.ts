import {
  isRole,
  type Permission,
  ROLE_NAMES,
  ROLES,
  type Role,
} from '../../subgraphs/platform/access/permissions.ts'

export interface RoleSettings {
  /** Names of groups or roles elsewhere, and what they are here. */
  roleMap: ReadonlyMap<string, string>
  /** The role of callers without a mapped one; undefined: no permissions. */
  defaultRole: Role | undefined
}

/** Permissions of a caller with these external group names: those of the highest role among them. */
export function permissionsOf(
  names: readonly string[],
  { roleMap, defaultRole }: RoleSettings,
): readonly Permission[] {
  const roles = names.map((name) => roleMap.get(name) ?? name).filter(isRole)
  const highest = ROLE_NAMES.findLast((role) => roles.includes(role)) ?? defaultRole
  return highest ? ROLES[highest] : []
}
