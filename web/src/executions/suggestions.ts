import { useState } from 'react'
import { ExecutionSuggestionsDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'

/** Labels and users of the newest executions, to complete filters with. Read when a filter is first used. */
export function useSuggestions() {
  const [isUsed, setUsed] = useState(false)
  const nodes =
    useRead(ExecutionSuggestionsDocument, {}, !isUsed).data?.executionResults.nodes ?? []
  const labels = nodes.flatMap((each) => each.labels.map(({ name, value }) => `${name}=${value}`))
  return {
    use: () => setUsed(true),
    label: unique(labels),
    user: unique(nodes.map(({ executedBy }) => executedBy)),
  }
}

const unique = (texts: readonly string[]) => [...new Set(texts)].toSorted()
