import { Link } from '@tanstack/react-router'
import type { FailureFragment } from '../graph/generated.ts'
import { duration, shown } from '../ui/format.ts'
import { Empty, Fact } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { Attachments } from './attachments.tsx'
import { BackToDraft, isStored } from './back-to-draft.tsx'
import { differenceTo } from './difference.ts'
import { Evidence } from './evidence.tsx'
import { Marks } from './marks.tsx'
import type { Node, Scenario } from './tree.ts'
import { Tries } from './tries.tsx'

/** A step, and for each expectation that failed what was expected beside what was there. */
export function StepDetail({ root, node }: { root: Scenario; node: Node | undefined }) {
  if (!node) return <Empty icon="list" title="Select a step to see its details" />
  const { step, scenario, name, state, durationMs } = node
  const failures = step
    ? scenario.validationFailures.filter(
        ({ stepId, datasetRow }) => stepId === step.stepId && datasetRow === step.datasetRow,
      )
    : []
  const message = step ? step.message : scenario.message
  return (
    <div className="stack body">
      <div className="row">
        <h2>{name}</h2>
        <StateBadge state={state} />
        {!step && <Marks of={scenario} />}
      </div>
      <dl className="facts wide">
        {step?.kind && <Fact name="Kind">{step.kind}</Fact>}
        {step?.path && <Fact name="Path">{step.path}</Fact>}
        <Fact name="Started">
          <Ago at={step?.started ?? scenario.started} />
        </Fact>
        {durationMs !== null && <Fact name="Duration">{duration(durationMs)}</Fact>}
        {step?.attempts != null && step.attempts > 1 && (
          <Fact name="Attempts">{step.attempts}</Fact>
        )}
        {!step && scenario.id !== root.id && (
          <Fact name="Execution">
            <Link to="/executions/$id" params={{ id: scenario.id }}>
              Open this scenario alone
            </Link>
          </Fact>
        )}
      </dl>
      {message && failures.length === 0 && (
        <p className={`notice ${state === 'FAILED' ? 'bad' : state === 'ERROR' ? 'warn' : ''}`}>
          {message}
        </p>
      )}
      <Attachments files={step?.attachments ?? []} />
      {failures.map((failure) => (
        <FailedExpectation key={`${failure.name} ${failure.path}`} failure={failure} />
      ))}
      {(state === 'FAILED' || state === 'ERROR') && <Remedy scenario={scenario} />}
      {step?.path && state !== 'RUNNING' && <Evidence id={scenario.id} path={step.path} />}
      {scenario.state !== 'RUNNING' && <Tries scenario={scenario} />}
    </div>
  )
}

/** Links to possible causes. */
const Remedy = ({ scenario }: { scenario: Node['scenario'] }) => {
  const { contextId, revisions } = scenario
  const component = revisions.find(({ kind, revision }) => kind === 'component' && revision > 0)
  return (
    <div className="row">
      {component && (
        <Link
          className="button"
          to="/repository/components/$id"
          params={{ id: component.artifactId }}
        >
          Open the component
        </Link>
      )}
      {scenario.startedBy === 'EDITOR' ? (
        <BackToDraft of={scenario} />
      ) : (
        isStored(scenario) && (
          <Link className="button" to="/repository/scenarios/$id/edit" params={{ id: contextId }}>
            Edit the scenario
          </Link>
        )
      )}
    </div>
  )
}

const FailedExpectation = ({
  failure: { name, path, assert, message, expectedValue, actualValue },
}: {
  failure: FailureFragment
}) => (
  <section className="stack" aria-label={`Expectation ${name}`}>
    <p className="notice bad">{message}</p>
    <dl className="facts wide">
      <Fact name="Expectation">{name}</Fact>
      <Fact name="Path">
        <code>{path}</code>
      </Fact>
      <Fact name="Assert">
        <code>{assert}</code>
      </Fact>
    </dl>
    <div className="versus">
      <figure className="good">
        <figcaption className="under">Expected</figcaption>
        <Value of={expectedValue} beside={actualValue} />
      </figure>
      <figure className="bad">
        <figcaption className="under">Actual</figcaption>
        <Value of={actualValue} beside={expectedValue} />
      </figure>
    </div>
  </section>
)

/** A value, with what differs from another one marked. */
const Value = ({ of, beside }: { of: unknown; beside: unknown }) => {
  const [start, own, end] = differenceTo(shown(beside), shown(of))
  return (
    <pre tabIndex={0}>
      {start}
      {own && <mark>{own}</mark>}
      {end}
    </pre>
  )
}
