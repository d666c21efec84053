import { useRef, useState } from 'react'
import { plural } from '../ui/format.ts'
import { Check, Select } from '../ui/inputs.tsx'
import { Button, Empty } from '../ui/parts.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { Loading, Problem } from '../ui/waiting.tsx'
import type { LogOf } from './execution-search.ts'
import { isWanted, type LogWish, parsedLines } from './log-line.ts'
import { LogLines } from './log-lines.tsx'
import { PAGE, useStoredLog } from './stored-log.ts'
import type { Node, Scenario } from './tree.ts'

interface LogProps {
  root: Scenario
  node: Node | undefined
  of: LogOf | undefined
  onOf(of: LogOf | undefined): void
}

const LEVELS: readonly { name: '' | 'warn' | 'error'; title: string; levels: LogWish['levels'] }[] =
  [
    { name: '', title: 'All levels', levels: null },
    { name: 'warn', title: 'Warnings and errors', levels: ['WARN', 'ERROR'] },
    { name: 'error', title: 'Errors', levels: ['ERROR'] },
  ]

/**
 * The log of an execution, of one of its scenarios, or what was written while a step ran: of a run the lines as far as
 * they have arrived, of what has ended a page at a time from either end.
 */
export function Log({ root, node, of, onOf }: LogProps) {
  const [typed, setTyped] = useState('')
  const [level, setLevel] = useState<(typeof LEVELS)[number]['name']>('')
  const [isFollowing, setFollowing] = useState(true)
  const text = useDebounced(typed)
  const levels = LEVELS.find(({ name }) => name === level)?.levels ?? null
  const scenario = of === 'all' ? root : (node?.scenario ?? root)
  const isRunning = scenario.state === 'RUNNING'
  const step = of === 'step' ? (node?.step?.path ?? null) : null
  const stored = useStoredLog(
    { id: scenario.id, filter: { text: text || null, levels: levels && [...levels], step } },
    { skip: isRunning },
  )
  const body = useRef<HTMLDivElement>(null)
  const lines = isRunning
    ? parsedLines(scenario.log, scenario.started).filter((line) => isWanted(line, { text, levels }))
    : stored.lines
  const count = isRunning ? lines.length : stored.total
  const error = isRunning ? null : stored.error
  const noLine = isRunning
    ? 'No log line yet'
    : text || levels
      ? 'No line matches'
      : 'The log is empty'
  const isSuite = root.type === 'SUITE'
  return (
    <>
      <div className="row log-tools">
        <input
          className="input grow"
          data-search
          aria-label="Search the log"
          placeholder="Search the log"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Select
          label="Lines of"
          value={of ?? ''}
          options={[
            ...(isSuite ? [{ name: 'all', title: 'The suite itself' } as const] : []),
            { name: '', title: isSuite ? 'The scenario' : 'All steps' },
            ...(node?.step && !isRunning
              ? [{ name: 'step', title: `While ${node.name} ran` } as const]
              : []),
          ]}
          onChange={(name) => onOf(name || undefined)}
        />
        <Select label="Levels" value={level} options={LEVELS} onChange={(name) => setLevel(name)} />
        {isRunning && (
          <Check className="chip" label="Follow" isOn={isFollowing} onChange={setFollowing} />
        )}
        {!isRunning && lines.length > PAGE && (
          <Button small onClick={() => goToEnd(body.current)}>
            Go to the end
          </Button>
        )}
        <span className="under number">{count === null ? '' : plural(count, 'line')}</span>
      </div>
      {error && <Problem message={error} retry={stored.reload} />}
      {lines.length > 0 ? (
        <LogLines
          lines={lines}
          body={body}
          wanted={text}
          isFollowing={isRunning && isFollowing}
          onLeave={() => setFollowing(false)}
          onSee={isRunning ? undefined : stored.onSee}
        />
      ) : !isRunning && stored.isLoading ? (
        <Loading inCard />
      ) : (
        !error && <Empty icon="list" title={noLine} />
      )}
    </>
  )
}

/** Keys go on from there. */
function goToEnd(body: HTMLElement | null) {
  body?.focus()
  body?.scrollTo(0, body.scrollHeight)
}
