import {
  isRole,
  type Permission,
  ROLE_NAMES,
  ROLES,
  type Role,
} from '../../platform/access/permissions.ts'
import type { SignInSettings } from './settings.ts'

type RoleSettings = Pick<SignInSettings, 'roleMap' | 'defaultRole'>

/** The highest role among external group names. */
export function roleOf(
  names: readonly string[],
  { roleMap }: Pick<RoleSettings, 'roleMap'>,
): Role | undefined {
  const roles = names.map((name) => roleMap.get(name) ?? name).filter(isRole)
  return ROLE_NAMES.findLast((role) => roles.includes(role))
}

/** Permissions of a caller with these external group names: those of the highest role among them. */
export function permissionsOf(
  names: readonly string[],
  settings: RoleSettings,
): readonly Permission[] {
  const role = roleOf(names, settings) ?? settings.defaultRole
  return role ? ROLES[role] : []
}
