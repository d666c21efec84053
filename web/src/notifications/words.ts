import type { RuleChange, Weekday } from '../graph/generated.ts'

export const CHANNEL_KINDS = { webhook: 'Webhook', slack: 'Slack', email: 'E-mail' } as const

export const CHANGES: readonly { name: RuleChange; title: string }[] = [
  { name: 'OPENED', title: 'opened' },
  { name: 'REOPENED', title: 'reopened' },
  { name: 'REGRESSED', title: 'regressed: a person had closed it' },
  { name: 'RAISED', title: 'raised to a graver severity' },
  { name: 'ACKNOWLEDGED', title: 'acknowledged' },
  { name: 'RESOLVED', title: 'resolved' },
]

export const DAYS: readonly { name: Weekday; title: string }[] = [
  { name: 'MON', title: 'Monday' },
  { name: 'TUE', title: 'Tuesday' },
  { name: 'WED', title: 'Wednesday' },
  { name: 'THU', title: 'Thursday' },
  { name: 'FRI', title: 'Friday' },
  { name: 'SAT', title: 'Saturday' },
  { name: 'SUN', title: 'Sunday' },
]
