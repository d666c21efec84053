import type { Sql } from '../../../platform/database/sql.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { TRIGGER_FIRED, type TriggerFired } from '../../../platform/jobs/trigger-fired.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import { isAmong } from './change.ts'
import type { EventJudge } from './judge.repository.ts'
import type { NotedRow } from './note-changes.repository.ts'
import type { CompiledTrigger } from './rule-book.ts'

/** Asks for an execution for each change that a trigger matches. Silences hold notifications back, and no triggers. */
export async function fireTriggers(
  sql: Sql,
  jobs: Pick<Jobs, 'enqueueAll'>,
  judge: EventJudge,
  triggers: readonly CompiledTrigger[],
  changes: readonly NotedRow[],
): Promise<void> {
  const fired: TriggerFired[] = []
  for (const { id, eventId, at, kind, executionId, status, severity } of changes) {
    const subject = judge.subject(eventId, { status, severity })
    const event = judge.events.get(eventId)
    // An event about a trigger would start it for its own refusals.
    if (!subject || !event || event.eventClass === 'trigger') continue
    for (const trigger of triggers) {
      if (!isAmong(trigger.on, kind) || !(await judge.matches(subject, trigger))) continue
      fired.push({
        triggerId: trigger.id,
        change: `${eventId} ${new Date(at).toISOString()} ${id}`,
        executionId,
        event: JSON.stringify({ ...shown(event), status, severity, change: kind }),
      })
    }
  }
  if (fired.length > 0) await jobs.enqueueAll(sql, TRIGGER_FIRED.name, fired)
}

/** An event as paths of labels see it, in the words of `/v1/events`. */
const shown = (event: StoredEvent) => ({
  id: event.id,
  title: event.title,
  message: event.message,
  eventClass: event.eventClass,
  source: { ref: event.sourceRef, type: event.sourceType, name: event.sourceName },
  properties: event.properties,
  tags: event.tags,
})
