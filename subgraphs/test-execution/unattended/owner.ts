import type { Caller } from '../../../platform/access/caller.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import type { Permission } from '../../../platform/access/permissions.ts'

/** The account that stored a schedule or trigger last, with the permissions that it had then. */
export interface Owner {
  user: string | null
  subject?: string
  account?: string
  permissions: readonly Permission[]
}

/** Attributes of what starts executions without a person. */
export interface Unattended {
  target: string
  environment?: string
  credentialsFrom?: string
  labels: Readonly<Record<string, string>>
  enabled: boolean
}

/** Progress of it, as it is shown. */
export interface UnattendedState {
  owner: Owner
  lastRunAt: Date | null
  lastResultId: string | null
  /** Why the last time started nothing, be it left out or refused; null where it did. */
  failure: string | null
}

/** Examples that a start loads have no owner: they run once a user stores them. @throws AppError FORBIDDEN */
export function ownerFrom(caller: Caller | undefined): Owner {
  if (!caller) return { user: null, permissions: [] }
  requirePermission(caller, 'executions:run')
  const { user, subject, account, permissions } = caller
  return { user, permissions, ...(subject && { subject }), ...(account && { account }) }
}
