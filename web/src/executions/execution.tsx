import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useMay } from '../app/account.tsx'
import { KINDS, titleOf } from '../repository/reading.tsx'
import { Page } from '../ui/parts.tsx'
import { lookOf, StateBadge } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { say } from '../ui/toasts.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'
import { BackToDraft, isStored } from './back-to-draft.tsx'
import { type ExecutionView, TABS } from './execution-search.ts'
import { Facts } from './facts.tsx'
import { useExecution } from './follow.ts'
import { Cancel } from './list.tsx'
import { Log } from './log.tsx'
import { Marks } from './marks.tsx'
import { Progress } from './progress.tsx'
import { Run, RunFailed } from './run.tsx'
import { stateOf } from './search.ts'
import { StepDetail } from './step-detail.tsx'
import { StepTree } from './step-tree.tsx'
import {
  failedOf,
  firstFailure,
  isOver,
  nodeOf,
  runningStep,
  type Scenario,
  treeOf,
  visible,
} from './tree.ts'
import { TreeHead } from './tree-head.tsx'
import { Why } from './why.tsx'

const Coverage = lazy(() => import('./coverage.tsx'))
const Reports = lazy(() => import('./reports.tsx'))
const Callbacks = lazy(() => import('./execution-callbacks.tsx'))
const Events = lazy(() => import('./execution-events.tsx'))

const route = getRouteApi('/executions/$id')

/** One execution: its tree as it grows, and about the chosen step what there is to know. */
export default function Execution() {
  const { id } = route.useParams()
  const { step, tab = 'details', lines, base, only } = route.useSearch()
  const navigate = useNavigate()
  const followed = useExecution(id)
  const { root, scenarios, suiteId, error, isLoading } = followed
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const nodes = useMemo(() => treeOf({ root, scenarios }), [root, scenarios])
  const seen = useMemo(
    () => visible(only === 'failed' ? failedOf(nodes) : nodes, toggled),
    [nodes, toggled, only],
  )
  const [isFollowing, setFollowing] = useState(true)
  const isRunning = root?.state === 'RUNNING'
  const running = isRunning && isFollowing ? runningStep(nodes) : undefined
  const chosen = nodes.find(({ key }) => key === step) ?? running ?? firstFailure(nodes)
  const mayCallbacks = useMay('callbacks:manage')
  useSpokenState(root)

  if (error || isLoading || !root)
    return (
      <Page title="Execution">{error ? <Problem message={error} /> : <Loading lines={8} />}</Page>
    )

  const set = (search: ExecutionView) =>
    void navigate({
      to: '/executions/$id',
      params: { id },
      search: { step, tab, lines, base, only, ...search },
      replace: true,
    })
  const toggle = (key: string) => {
    const next = new Set(toggled)
    if (!next.delete(key)) next.add(key)
    setToggled(next)
  }
  const isTry = root.startedBy === 'EDITOR'
  const isKept = isStored(root)
  const kind = KINDS[root.type === 'SUITE' ? 'suite' : 'scenario']
  // It may fail before its first step; then it stands for itself.
  const isPassing = isRunning || root.state === 'COMPLETED'
  const selected = chosen ?? (isPassing ? nodes[0] : nodeOf(root))

  return (
    <Page
      title={root.contextName}
      full
      beside={
        <>
          <StateBadge state={stateOf(root)} />
          <Marks of={root} />
        </>
      }
      crumbs={
        <>
          <Link to="/executions">Executions</Link>
          {suiteId && (
            <Link to="/executions/$id" params={{ id: suiteId }}>
              Suite
            </Link>
          )}
        </>
      }
      actions={
        <>
          {!isRunning && (
            <Link className="button" to="/executions/compare" search={{ b: id }}>
              Compare
            </Link>
          )}
          {isTry ? (
            <BackToDraft of={root} />
          ) : (
            isKept && (
              <Link className="button" to={kind.page} params={{ id: root.contextId }}>
                {titleOf(kind)}
              </Link>
            )
          )}
          {isRunning ? (
            <Cancel of={root} look="danger" />
          ) : !isKept ? null : (
            <>
              {!isPassing && root.type === 'SUITE' && (
                <RunFailed resultId={id} contextId={root.contextId} />
              )}
              <Run
                contextId={root.contextId}
                label="Run again"
                look="primary"
                // The host may have refused them: only its answer says so, in words of its own.
                canChange={!isPassing}
              />
            </>
          )}
        </>
      }
    >
      <Facts root={root} shown={tab === 'details' ? selected : undefined} />
      {!isPassing && <Why id={id} />}
      {isRunning && (
        <Progress root={root} ended={nodes.filter(isOver).length} running={runningStep(nodes)} />
      )}
      <div className="split">
        <section className="card" aria-label="Steps">
          <TreeHead
            nodes={nodes}
            only={only}
            onOnly={(next) => set({ only: next })}
            isFollowing={isRunning ? isFollowing : null}
            onFollow={setFollowing}
          />
          {seen.length > 0 ? (
            <StepTree
              nodes={seen}
              toggled={toggled}
              selected={selected?.key}
              followed={running?.key}
              onLeave={() => setFollowing(false)}
              onSelect={(key) => set({ step: key })}
              onToggle={toggle}
            />
          ) : (
            <div className="body">
              {isRunning ? <Loading lines={3} /> : <p className="faint">No step has run.</p>}
            </div>
          )}
        </section>
        <section className="card pane" aria-label="About the step">
          <Tabs
            label="About the execution"
            tabs={TABS.filter(({ name }) => name !== 'callbacks' || mayCallbacks || name === tab)}
            current={tab}
            onChange={(name) => set({ tab: name })}
          >
            <Suspense fallback={<Loading inCard />}>
              {tab === 'details' && <StepDetail root={root} node={selected} />}
              {tab === 'log' && (
                <Log root={root} node={selected} of={lines} onOf={(next) => set({ lines: next })} />
              )}
              {tab === 'coverage' && (
                <Coverage root={root} base={base} onBase={(next) => set({ base: next })} />
              )}
              {tab === 'reports' && <Reports id={id} isRunning={isRunning} />}
              {tab === 'events' && <Events of={root} />}
              {tab === 'callbacks' && <Callbacks id={id} />}
            </Suspense>
          </Tabs>
        </section>
      </div>
    </Page>
  )
}

const SAID: Readonly<Record<string, string>> = {
  WAITING: 'The execution waits for a worker',
  RUNNING: 'The execution is running',
  COMPLETED: 'The execution has passed',
  FAILED: 'The execution has failed',
  ERROR: 'The execution has ended with an error',
  CANCELLED: 'The execution was cancelled',
}

/** The end is said to those who do not see the page. */
function useSpokenState(root: Scenario | null) {
  const state = root && stateOf(root)
  useEffect(() => {
    if (state) say(SAID[state] ?? `The state of the execution is ${lookOf(state).word}`)
  }, [state])
}
