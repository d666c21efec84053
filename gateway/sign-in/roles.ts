import {
  isRole,
  type Permission,
  ROLE_NAMES,
  ROLES,
} from '../../subgraphs/platform/access/permissions.ts'
import type { SignInSettings } from './settings.ts'

/** Permissions of a caller with these external group names: those of the highest role among them. */
export function permissionsOf(
  names: readonly string[],
  { roleMap, defaultRole }: Pick<SignInSettings, 'roleMap' | 'defaultRole'>,
): readonly Permission[] {
  const roles = names.map((name) => roleMap.get(name) ?? name).filter(isRole)
  const highest = ROLE_NAMES.findLast((role) => roles.includes(role)) ?? defaultRole
  return highest ? ROLES[highest] : []
}
