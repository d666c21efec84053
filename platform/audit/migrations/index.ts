import { Audit001Entries } from './audit-001-entries.ts'
import { Audit002Addresses } from './audit-002-addresses.ts'
import { Audit003Subjects } from './audit-003-subjects.ts'

/** They run behind those of each subgraph. */
export const AUDIT_MIGRATIONS = [
  { name: 'audit-001-entries', class: Audit001Entries },
  { name: 'audit-002-addresses', class: Audit002Addresses },
  { name: 'audit-003-subjects', class: Audit003Subjects },
] as const
