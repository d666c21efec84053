import { change, read } from '../graph/client.ts'
import {
  EventStatusesDocument,
  SetEventStatusesDocument,
  type SettableStatus,
} from '../graph/generated.ts'
import { count, plural } from '../ui/format.ts'

/** The graph sets no more at once. */
export const AT_ONCE = 1_000
/** Number of events, however large, that one operation may read. */
const READ_AT_ONCE = 200
const SETTABLE: readonly string[] = ['OPEN', 'ACKNOWLEDGED', 'CLOSED', 'OK']

/** An event, and its status at some time. */
export interface Known {
  id: string
  nodeId: string
  status: string
}

interface Undoable extends Known {
  status: SettableStatus
}

/**
 * Sets the status of some events.
 * @param nodeIds at most `AT_ONCE`
 * @returns those that changed, with their former status
 */
export const setStatus = async (
  nodeIds: readonly string[],
  status: SettableStatus,
  comment: string | null,
): Promise<Known[]> => write(await present(nodeIds), status, comment)

/** Those whose status changed from one that people can set. */
export const undoable = (changed: readonly Known[], status: SettableStatus): Undoable[] =>
  changed.filter((event): event is Undoable => event.status !== status && isSettable(event.status))

/**
 * Gives events their former status back where nothing has changed it since.
 * @param changed with their former status
 * @param status what they were set to
 * @returns what became of it
 */
export async function undo(changed: readonly Undoable[], status: SettableStatus): Promise<string> {
  let undone = 0
  const said = () => `Undone for ${count(undone)} of ${plural(changed.length, 'event')}`
  try {
    for (let from = 0; from < changed.length; from += AT_ONCE) {
      const part = changed.slice(from, from + AT_ONCE)
      const now = await present(part.map(({ nodeId }) => nodeId))
      const kept = new Set(now.filter((event) => event.status === status).map(({ id }) => id))
      const back = part.filter(({ id }) => kept.has(id))
      for (const [former, events] of Map.groupBy(back, (event) => event.status))
        undone += (await write(events, former, null)).length
    }
  } catch (error) {
    throw new Error(`${said()}. ${(error as Error).message}`)
  }
  return undone === changed.length
    ? `Undone for ${plural(undone, 'event')}`
    : `${said()}; the others have changed since`
}

const isSettable = (status: string): status is SettableStatus => SETTABLE.includes(status)

/** The status that events have now; without those that are there no longer. */
async function present(nodeIds: readonly string[]): Promise<Known[]> {
  const parts: string[][] = []
  for (let from = 0; from < nodeIds.length; from += READ_AT_ONCE)
    parts.push(nodeIds.slice(from, from + READ_AT_ONCE))
  const pages = await Promise.all(parts.map((ids) => read(EventStatusesDocument, { ids })))
  return pages.flatMap(({ nodes }) => nodes.filter((node) => node?.__typename === 'Event'))
}

async function write(
  events: readonly Known[],
  status: SettableStatus,
  comment: string | null,
): Promise<Known[]> {
  if (events.length === 0) return []
  const input = { ids: events.map(({ id }) => id), status, comment }
  const { setEventStatuses } = await change(SetEventStatusesDocument, { input })
  return events.filter((_event, at) => setEventStatuses[at]?.outcome === 'CHANGED')
}
