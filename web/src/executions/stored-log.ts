import { useMemo, useState } from 'react'
import {
  ExecutionLogDocument,
  ExecutionLogEndDocument,
  type ExecutionLogQueryVariables,
} from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { joined, missingEnd } from './ends.ts'

/** Lines of a page. */
export const PAGE = 500

/** The log of what has ended. It is read from both ends, so that neither is far. */
export function useStoredLog(
  of: Pick<ExecutionLogQueryVariables, 'id' | 'filter'>,
  { skip }: { skip: boolean },
) {
  const key = JSON.stringify(of)
  /** The log whose end somebody went to. */
  const [endOf, setEndOf] = useState<string>()
  const hasEnd = endOf === key
  const start = usePages(
    ExecutionLogDocument,
    of,
    ({ executionResult }) => executionResult?.logLines,
    { skip, size: PAGE },
  )
  const end = usePages(
    ExecutionLogEndDocument,
    of,
    ({ executionResult }) =>
      executionResult
        ? {
            ...executionResult.logLines,
            nodes: executionResult.logLines.nodes.toReversed(),
          }
        : undefined,
    { skip: skip || !hasEnd, size: PAGE },
  )
  const total = start.total ?? 0
  const lines = useMemo(() => joined(start.rows, end.rows, total), [start.rows, end.rows, total])
  return {
    lines,
    total: start.total,
    isLoading: start.isLoading,
    error: start.error ?? end.error,
    reload: start.error ? start.reload : end.reload,
    /** Reads what is missing near lines that are seen. */
    onSee(from: number, to: number) {
      const missing = missingEnd(start.rows.length, total - end.rows.length, { from, to })
      if (missing === 'start') start.more()
      else if (missing === 'end' && hasEnd) end.more()
      else if (missing === 'end') setEndOf(key)
    },
  }
}
