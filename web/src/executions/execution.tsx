import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { Button, Crumb, Fact, Loading, Page, Problem } from '../ui/parts.tsx'
import { lookOf, StateBadge } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Ago, Took } from '../ui/time.tsx'
import { say } from '../ui/toasts.tsx'
import type { ExecutionTab } from './execution-search.ts'
import { type Scenario, useExecution } from './follow.ts'
import { cancel } from './list.tsx'
import { Log } from './log.tsx'
import { Run } from './run.tsx'
import { nameOf, stateOf } from './search.ts'
import { StepDetail } from './step-detail.tsx'
import { StepTree } from './step-tree.tsx'
import { firstFailure, treeOf, visible } from './tree.ts'

const Coverage = lazy(() => import('./coverage.tsx'))
const Reports = lazy(() => import('./reports.tsx'))
const Callbacks = lazy(() => import('./execution-callbacks.tsx'))
const Events = lazy(() => import('./execution-events.tsx'))

const route = getRouteApi('/executions/$id')

const TABS: readonly { name: ExecutionTab; title: string }[] = [
  { name: 'details', title: 'Details' },
  { name: 'log', title: 'Log' },
  { name: 'coverage', title: 'Coverage' },
  { name: 'reports', title: 'Reports' },
  { name: 'events', title: 'Events' },
  { name: 'callbacks', title: 'Callbacks' },
]

/** One execution: its tree as it grows, and about the chosen step what there is to know. */
export default function Execution() {
  const { id } = route.useParams()
  const { step, tab = 'details' } = route.useSearch()
  const navigate = useNavigate()
  const followed = useExecution(id)
  const { root, scenarios, suiteId, error, isLoading } = followed
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const nodes = useMemo(() => treeOf({ root, scenarios }), [root, scenarios])
  const seen = useMemo(() => visible(nodes, toggled), [nodes, toggled])
  const selected = nodes.find(({ key }) => key === step) ?? firstFailure(nodes) ?? nodes[0]
  useSpokenState(root)

  if (error)
    return (
      <Page title="Execution">
        <Problem message={error} />
      </Page>
    )
  if (isLoading || !root)
    return (
      <Page title="Execution">
        <Loading lines={8} />
      </Page>
    )

  const set = (search: { step?: string; tab?: ExecutionTab }) =>
    void navigate({
      to: '/executions/$id',
      params: { id },
      search: { step, tab, ...search },
      replace: true,
    })
  const toggle = (key: string) => {
    const next = new Set(toggled)
    if (!next.delete(key)) next.add(key)
    setToggled(next)
  }
  const isRunning = root.state === 'RUNNING'
  const logged: Scenario =
    selected?.step === null ? selected.scenario : (selected?.scenario ?? root)

  return (
    <Page
      title={nameOf(root)}
      full
      beside={<StateBadge state={stateOf(root)} />}
      crumbs={
        <>
          <Crumb to="/executions">Executions</Crumb>
          {suiteId && (
            <Link to="/executions/$id" params={{ id: suiteId }}>
              Suite
            </Link>
          )}
        </>
      }
      actions={
        <>
          <Link
            className="button"
            to={root.type === 'SUITE' ? '/repository/suites/$id' : '/repository/scenarios/$id'}
            params={{ id: root.contextId }}
          >
            {root.type === 'SUITE' ? 'Suite' : 'Scenario'}
          </Link>
          {isRunning ? (
            <Button look="danger" icon="cross" onClick={() => cancel(id)}>
              Cancel
            </Button>
          ) : (
            <Run contextId={root.contextId} label="Run again" look="primary" />
          )}
        </>
      }
    >
      <Facts root={root} />
      <div className="split">
        <section className="card" aria-label="Steps">
          {seen.length > 0 ? (
            <StepTree
              nodes={seen}
              toggled={toggled}
              selected={selected?.key}
              onSelect={(key) => set({ step: key })}
              onToggle={toggle}
            />
          ) : (
            <div className="body">
              <Loading lines={3} />
            </div>
          )}
        </section>
        <section className="card pane" aria-label="About the step">
          <Tabs
            label="About the execution"
            tabs={TABS}
            current={tab}
            onChange={(name) => set({ tab: name })}
          >
            <Suspense
              fallback={
                <div className="body">
                  <Loading />
                </div>
              }
            >
              {tab === 'details' && <StepDetail node={selected} />}
              {tab === 'log' && (
                <Log lines={(root.type === 'SUITE' ? logged : root).log} isRunning={isRunning} />
              )}
              {tab === 'coverage' && <Coverage id={id} isRunning={isRunning} />}
              {tab === 'reports' && <Reports id={id} isRunning={isRunning} />}
              {tab === 'events' && <Events id={id} />}
              {tab === 'callbacks' && <Callbacks id={id} />}
            </Suspense>
          </Tabs>
        </section>
      </div>
    </Page>
  )
}

/** What REST calls otherwise. */
const KINDS: Readonly<Record<string, string>> = { testcase: 'scenario' }

const Facts = ({ root }: { root: Scenario }) => (
  <>
    <dl className="facts wide">
      <Fact name="Started">
        <Ago at={root.started} />
      </Fact>
      <Fact name="Took">
        <Took from={root.started} to={root.ended} isRunning={root.state === 'RUNNING'} />
      </Fact>
      <Fact name="By">{root.executedBy}</Fact>
      {root.environment && (
        <Fact name="Environment">
          <Link to="/repository/environments/$id" params={{ id: root.environment.id }}>
            {root.environment.name}
          </Link>
        </Fact>
      )}
      {root.revisions.map(({ id, kind, revision }) => (
        <Fact key={`${kind} ${id}`} name={`Revision of the ${KINDS[kind] ?? kind}`}>
          {revision || 'not stored'}
        </Fact>
      ))}
      {root.labels.map(({ name, value }) => (
        <Fact key={name} name={name}>
          <Link to="/executions" search={{ label: `${name}=${value}` }}>
            {value}
          </Link>
        </Fact>
      ))}
      {root.type === 'SUITE' && (
        <Fact name="Scenarios">
          {root.progress.scenariosEnded} of {root.progress.scenarios}
        </Fact>
      )}
      {root.progress.queuePosition !== null && root.state === 'RUNNING' && (
        <Fact name="Position in the queue">{root.progress.queuePosition}</Fact>
      )}
    </dl>
    {root.message && root.state !== 'RUNNING' && (
      <div
        className={`notice ${root.state === 'FAILED' ? 'bad' : root.state === 'ERROR' ? 'warn' : ''}`}
      >
        {root.message}
      </div>
    )}
  </>
)

/** The end is said to those who do not see the page. */
function useSpokenState(root: Scenario | null) {
  const state = root?.state
  useEffect(() => {
    if (state) say(`The execution is ${lookOf(state).word.toLowerCase()}`)
  }, [state])
}
