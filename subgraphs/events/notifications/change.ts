import { severityRises } from '../ingestion/event-state.ts'

/** The part of an event that rules judge changes of. */
export interface State {
  status: string
  severity: string
}

export const CHANGE_KINDS = [
  'OPENED',
  'REOPENED',
  'REGRESSED',
  'RAISED',
  'ACKNOWLEDGED',
  'RESOLVED',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** A regression is one kind of reopening: rules of either want it. */
export const isAmong = (on: ReadonlySet<ChangeKind>, kind: ChangeKind): boolean =>
  on.has(kind) || (kind === 'REGRESSED' && on.has('REOPENED'))

export const isOpen = ({ status }: State): boolean => status === 'OPEN' || status === 'ACKNOWLEDGED'

/**
 * Kind of a change of state. Regressions are among the reopenings: only the history tells them apart.
 * @param before null for a new event
 * @returns null for a change that no rule is about
 */
export function changeKindOf(before: State | null, after: State): ChangeKind | null {
  if (!before || !isOpen(before)) {
    if (after.status === 'ACKNOWLEDGED') return 'ACKNOWLEDGED'
    if (after.status !== 'OPEN') return null
    return before ? 'REOPENED' : 'OPENED'
  }
  if (!isOpen(after)) return 'RESOLVED'
  if (before.status === 'OPEN' && after.status === 'ACKNOWLEDGED') return 'ACKNOWLEDGED'
  if (severityRises(before.severity, after.severity)) return 'RAISED'
  return before.status === after.status ? null : 'REOPENED'
}
