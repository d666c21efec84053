import { RESOLVE_AFTER_USER } from '../ingestion/event-state.ts'

const OPEN = `('OPEN', 'ACKNOWLEDGED')`

/**
 * Condition for a row `change` of `status_change`: an occurrence opens an event that a person has closed. The end that a
 * sender reports, or EVENTS_RESOLVE_AFTER, does not claim that somebody has mended it.
 */
export const IS_REGRESSION = `
  change.changed_by is null and change.from_status not in ${OPEN} and change.to_status = 'OPEN' and coalesce((
    select ended.changed_by <> '${RESOLVE_AFTER_USER}' from events.status_change as ended
    where ended.event_id = change.event_id and ended.id < change.id
      and ended.from_status in ${OPEN} and ended.to_status not in ${OPEN}
    order by ended.id desc limit 1), false)`
