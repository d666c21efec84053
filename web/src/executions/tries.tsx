import { ExecutionTriesDocument, type ExecutionTriesQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { StateBadge, StateIcon } from '../ui/state.tsx'
import { Ago, Took } from '../ui/time.tsx'

type Try = NonNullable<ExecutionTriesQuery['executionResult']>['tries'][number]

/** The tries of an execution before its last one. */
export function Tries({ id }: { id: string }) {
  const { data } = useRead(ExecutionTriesDocument, { id })
  const tries = data?.executionResult?.tries ?? []
  if (tries.length === 0) return null
  return (
    <section className="stack tight" aria-label="Earlier tries">
      <h3>Earlier tries</h3>
      {tries.map((each, index) => (
        <TryView key={each.started} number={index + 1} of={each} />
      ))}
    </section>
  )
}

const TryView = ({ number, of }: { number: number; of: Try }) => (
  <details className="card">
    <summary className="body">
      Try {number} <StateBadge state={of.state} />{' '}
      <span className="under">
        <Ago at={of.started} />, took <Took of={of} />
      </span>
    </summary>
    <div className="stack body">
      <p className={`notice ${of.state === 'FAILED' ? 'bad' : 'warn'}`}>{of.message}</p>
      <ul className="stack tight" aria-label={`Steps of try ${number}`}>
        {of.steps.map((step) => (
          <li key={step.path ?? step.id} className="row tight">
            <StateIcon state={step.state} />
            {step.name}
            {step.message && step.message !== of.message && (
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
