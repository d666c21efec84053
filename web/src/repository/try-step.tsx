import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { parsed } from '../editor/faults.ts'
import { change } from '../graph/client.ts'
import { TryStepDocument, type TryStepMutation } from '../graph/generated.ts'
import { Button, Card } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state.tsx'
import { attempt } from '../ui/toasts.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { Judged } from './judged.tsx'
import { RESULT, reducedTo, stepsOf, usesCaptures } from './trial.ts'

type Execution = TryStepMutation['executeInline']

interface TryStepProps {
  /** The scenario as YAML. */
  text: string
  /** The draft as an artifact file. */
  artifactOf(): { id: string; scenario: unknown }
}

/** Runs one step of a draft, keeps its result, and judges expectations over it as they are typed. */
export function TryStep({ text, artifactOf }: TryStepProps) {
  const scenario = parsed(useDebounced(text)).value
  const steps = stepsOf(scenario)
  const [chosen, setChosen] = useState('')
  const step = steps.find(({ id }) => id === chosen) ?? steps[0]
  const [isBusy, setBusy] = useState(false)
  const [execution, setExecution] = useState<Execution | null>(null)
  const [kept, setKept] = useState('')

  const run = () =>
    attempt(async () => {
      const artifact = artifactOf()
      // The shown steps may lag behind the typed text.
      const current = stepsOf(artifact.scenario)
      const { id } = current.find((each) => each.id === chosen) ?? current[0] ?? {}
      if (id === undefined) throw new Error('The scenario has no step yet')
      const isAlone = !usesCaptures(artifact.scenario, id)
      const reduced = reducedTo(artifact.scenario, id, isAlone)
      setBusy(true)
      try {
        const { executeInline } = await change(TryStepDocument, {
          input: {
            artifacts: [{ ...artifact, scenario: reduced, retries: 0, needs: [] }],
            contextId: artifact.id,
            wait: true,
            startedBy: 'EDITOR',
          },
        })
        setExecution(executeInline)
        setKept(resultOf(executeInline, id))
      } finally {
        setBusy(false)
      }
    })

  const ran = execution?.steps.findLast(({ stepId }) => stepId === step?.id)
  return (
    <Card title="Try a step">
      <div className="stack body">
        <label className="field">
          Step
          <select
            value={step?.id ?? ''}
            onChange={({ target }) => {
              setChosen(target.value)
              setExecution(null)
            }}
          >
            {steps.map(({ id, name }) => (
              <option key={id} value={id}>
                {name ?? id}
              </option>
            ))}
          </select>
        </label>
        <div className="row">
          <Button icon="play" disabled={isBusy || !step} onClick={run}>
            Run this step
          </Button>
          {ran && (
            <span role="status" aria-label={`Step ${ran.stepId}`}>
              <StateBadge state={ran.state} />
            </span>
          )}
          {execution && (
            <Link to="/executions/$id" params={{ id: execution.id }}>
              Its execution
            </Link>
          )}
        </div>
        {execution && (ran?.message || !ran) && (
          <p className="notice warn">{ran?.message ?? execution.message}</p>
        )}
        <label className="field">
          Result that expectations look at, as JSON
          <textarea
            className="code"
            rows={10}
            value={kept}
            placeholder="Run the step, or paste a result, such as {&quot;status&quot;: 200, &quot;body&quot;: {}}"
            onChange={({ target }) => setKept(target.value)}
          />
        </label>
        {step && <Judged expectations={step.expect ?? []} kept={kept} />}
      </div>
    </Card>
  )
}

/** The whole result of a step; of a request that failed, its response. */
function resultOf({ steps }: Execution, id: string): string {
  const step = steps.findLast(({ stepId }) => stepId === id)
  const captured = step?.captures?.[RESULT]
  if (captured !== undefined) return JSON.stringify(captured, null, 2)
  const response = step?.exchange?.response
  if (!response) return ''
  const { status, headers, body } = response
  return JSON.stringify({ status, headers, body: asJson(body) }, null, 2)
}

function asJson(body: string | null): unknown {
  try {
    return JSON.parse(body ?? 'null')
  } catch {
    return body
  }
}
