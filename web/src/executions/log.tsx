import { useState } from 'react'
import { ExecutionLogDocument } from '../graph/generated.ts'
import { type PageOf, usePages } from '../graph/pages.ts'
import { Empty } from '../ui/parts.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { Loading, Problem } from '../ui/waiting.tsx'
import type { LogOf } from './execution-search.ts'
import type { Scenario } from './follow.ts'
import { isWanted, type LogLine, type LogWish, parsedLine } from './log-line.ts'
import { LogLines } from './log-lines.tsx'
import { LEVEL_CHOICES, LogTools } from './log-tools.tsx'
import type { Node } from './tree.ts'

interface LogProps {
  root: Scenario
  node: Node | undefined
  of: LogOf | undefined
  onOf(of: LogOf | undefined): void
}

/** The log of an execution, of one of its scenarios, or what was written while a step ran. */
export function Log({ root, node, of, onOf }: LogProps) {
  const [text, setText] = useState('')
  const [level, setLevel] = useState('')
  const [isFollowing, setFollowing] = useState(true)
  const scenario = of === 'all' ? root : (node?.scenario ?? root)
  const wish: LogWish = { text: useDebounced(text), levels: LEVEL_CHOICES[level]?.levels ?? null }
  const isRunning = scenario.state === 'RUNNING'
  const tools = {
    ...{ text, level, of, root, node, isRunning, isFollowing, onOf },
    onText: setText,
    onLevel: setLevel,
    onFollowing: setFollowing,
  }
  const shown = { wanted: wish.text, isFollowing: isRunning && isFollowing }
  return isRunning ? (
    <ArrivingLog
      {...shown}
      scenario={scenario}
      wish={wish}
      tools={(count) => <LogTools {...tools} count={count} />}
      onLeave={() => setFollowing(false)}
    />
  ) : (
    <StoredLog
      {...shown}
      id={scenario.id}
      wish={wish}
      step={of === 'step' ? (node?.step?.path ?? null) : null}
      tools={(count) => <LogTools {...tools} count={count} />}
    />
  )
}

interface PartProps {
  wish: LogWish
  wanted: string
  isFollowing: boolean
  tools(count: number | null): React.ReactNode
}

/** Lines of a run, as far as they have arrived. */
function ArrivingLog({
  scenario: { log, started },
  wish,
  tools,
  onLeave,
  ...shown
}: PartProps & { scenario: Scenario; onLeave(): void }) {
  const lines = log.map((line) => parsedLine(line, started)).filter((line) => isWanted(line, wish))
  return (
    <>
      {tools(lines.length)}
      {lines.length === 0 ? (
        <Empty icon="list" title="No log line yet" />
      ) : (
        <LogLines {...shown} lines={lines} onLeave={onLeave} />
      )}
    </>
  )
}

const PAGE = 500
const NONE: PageOf<LogLine> = { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } }

/** Lines of what has ended, a page at a time. */
function StoredLog({
  id,
  wish: { text, levels },
  step,
  tools,
  ...shown
}: PartProps & { id: string; step: string | null }) {
  const { rows, total, isLoading, error, more, reload } = usePages(
    ExecutionLogDocument,
    { id, filter: { text: text || null, levels: levels ? [...levels] : null, step } },
    ({ executionResult }) => executionResult?.logLines ?? NONE,
    { size: PAGE },
  )
  return (
    <>
      {tools(total)}
      {error && <Problem message={error} retry={reload} />}
      {rows.length > 0 ? (
        <LogLines {...shown} lines={rows} onEnd={more} />
      ) : isLoading ? (
        <div className="body">
          <Loading />
        </div>
      ) : (
        !error && (
          <Empty icon="list" title={text || levels ? 'No line matches' : 'The log is empty'} />
        )
      )}
    </>
  )
}
