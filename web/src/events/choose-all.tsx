import { useState } from 'react'
import { read } from '../graph/client.ts'
import { EventIdsDocument, type EventIdsQuery } from '../graph/generated.ts'
import { count } from '../ui/format.ts'
import { Button } from '../ui/parts.tsx'
import { attempt, say } from '../ui/toasts.tsx'

/** More are never chosen at once, as a filter that finds them is easily a mistake. */
export const MOST = 10_000
/** The graph gives no longer pages. */
const PAGE = 1_000

interface ChooseAllProps {
  query: string | null
  /** Rows of the list, all of which are chosen. */
  loaded: number
  /** Number of matches, which may be an estimate. */
  total: string | null
  /** True if they are more than `MOST`. */
  isTooMany: boolean
  onChoose(nodeIds: readonly string[]): void
}

/** Offers to choose those that match beyond the rows that are loaded. */
export function ChooseAll({ query, loaded, total, isTooMany, onChoose }: ChooseAllProps) {
  const [isBusy, setBusy] = useState(false)
  const choose = async () => {
    setBusy(true)
    await attempt(async () => {
      const nodeIds = await matching(query)
      onChoose(nodeIds)
      say(`${count(nodeIds.length)} selected`)
    })
    setBusy(false)
  }
  return (
    <div className="row grow" style={{ minWidth: 'min-content' }}>
      All {count(loaded)} loaded are selected.
      {isTooMany ? (
        <span className="soft">
          {total} match: narrow the filter to {count(MOST)} to select them all.
        </span>
      ) : (
        <Button small disabled={isBusy} onClick={choose}>
          Select all {total} that match
        </Button>
      )}
    </div>
  )
}

/** @returns the nodeIds of the events that match now @throws Error where they are too many */
async function matching(query: string | null): Promise<string[]> {
  const nodeIds: string[] = []
  for (let after: string | null = null; ; ) {
    const { events }: EventIdsQuery = await read(EventIdsDocument, { first: PAGE, after, query })
    nodeIds.push(...events.nodes.map(({ nodeId }) => nodeId))
    if (nodeIds.length > MOST)
      throw new Error(`More than ${count(MOST)} events match. Narrow the filter to select them all`)
    if (!events.pageInfo.hasNextPage) return nodeIds
    after = events.pageInfo.endCursor
  }
}
