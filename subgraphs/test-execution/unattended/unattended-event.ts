import type { OwnEvent } from '../../../platform/jobs/own-event.ts'

/** The event of a schedule or trigger that starts nothing. @param failure null closes it */
export const eventOf = (
  kind: 'schedule' | 'trigger',
  { id, name }: { id: string; name: string },
  run: string,
  now: Date,
  failure: string | null,
): OwnEvent => ({
  key: `${kind} ${id} ${run}`,
  title: `${kind === 'schedule' ? 'Schedule' : 'Trigger'} ${name}`,
  message: failure ?? 'It starts executions again',
  severity: failure === null ? 'INFO' : 'ERROR',
  status: failure === null ? 'OK' : 'OPEN',
  eventClass: kind,
  source: { ref: id, type: kind, name },
  properties: { [kind]: id },
  createdAt: now.toISOString(),
})
