import { ExecutionTriesDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { StateBadge, StateIcon } from '../ui/state.tsx'
import { Ago, Took } from '../ui/time.tsx'
import { stateOf } from './search.ts'
import { type Scenario, stepsOfTry, type Try } from './tree.ts'

/** The tries of an execution before its last one. */
export function Tries({ scenario }: { scenario: Scenario }) {
  const { data } = useRead(ExecutionTriesDocument, { id: scenario.id })
  const tries = data?.executionResult?.tries ?? []
  if (tries.length === 0) return null
  return (
    <section className="stack tight" aria-label="Earlier tries">
      <h3>Earlier tries</h3>
      {tries.map((each, index) => (
        <TryView key={each.started} scenario={scenario} number={index + 1} of={each} />
      ))}
    </section>
  )
}

interface TryProps {
  scenario: Scenario
  number: number
  of: Try
}

const TryView = ({ scenario, number, of }: TryProps) => (
  <details className="card">
    <summary className="body">
      Try {number} <StateBadge state={stateOf(of)} />{' '}
      <span className="under">
        <Ago at={of.started} />, took <Took of={of} />
      </span>
    </summary>
    <div className="stack body">
      <p className={`notice ${of.state === 'FAILED' ? 'bad' : 'warn'}`}>{of.message}</p>
      <ul className="stack tight" aria-label={`Steps of try ${number}`}>
        {stepsOfTry(scenario, of).map(({ key, state, name, step }) => (
          <li key={key} className="row tight">
            <StateIcon state={state} />
            {name}
            {step?.message && step.message !== of.message && (
              <span className="under">{step.message}</span>
            )}
          </li>
        ))}
      </ul>
      {of.validationFailures.map((failure) => (
        <p key={`${failure.stepId} ${failure.datasetRow} ${failure.name}`} className="under">
          {failure.name}: {failure.message}
        </p>
      ))}
    </div>
  </details>
)
