import { useEffect, useState } from 'react'
import { read } from '../graph/client.ts'
import { parseExact } from '../graph/exact.ts'
import { JudgeExpectationDocument } from '../graph/generated.ts'
import { StateIcon } from '../ui/state.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { type Expectation, whyNotJudged } from './trial.ts'

interface Verdict {
  state: 'COMPLETED' | 'FAILED' | 'SKIPPED'
  message: string | null
}

interface JudgedProps {
  expectations: readonly Expectation[]
  /** The result that they look at, as JSON. */
  kept: string
}

/** Verdicts of expectations over a kept result; nothing runs for it. */
export function Judged({ expectations, kept }: JudgedProps) {
  const asked = useDebounced(JSON.stringify({ expectations, kept }))
  const [judged, setJudged] = useState<{ asked: string; verdicts: readonly Verdict[] } | null>(null)
  useEffect(() => {
    let isCurrent = true
    const given: JudgedProps = JSON.parse(asked)
    const result = resultIn(given.kept)
    if (!result) {
      setJudged(null)
      return undefined
    }
    void Promise.all(given.expectations.map((each) => judge(each, result.value))).then(
      (verdicts) => {
        if (isCurrent) setJudged({ asked, verdicts })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [asked])
  if (kept.trim() === '') return null
  if (!resultIn(kept)) return <p className="fault">The result is no JSON.</p>
  if (expectations.length === 0)
    return (
      <p className="under">The step expects nothing. Write what it expects: it is judged here.</p>
    )
  if (judged?.asked !== asked) return null
  const { expectations: shown }: JudgedProps = JSON.parse(asked)
  return (
    <ul className="stack tight" aria-label="Expectations over the result">
      {judged.verdicts.map(({ state, message }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: expectations have no identity but their place
        <li key={index} className="row tight">
          <StateIcon state={state} />
          <span>
            {nameOf(shown[index])}
            {message && <span className="under">: {message}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

const nameOf = (expectation: Expectation | undefined): string =>
  expectation?.name ?? `${expectation?.path ?? '$'} ${expectation?.assert ?? ''}`

function resultIn(kept: string): { value: unknown } | null {
  try {
    return { value: parseExact(kept) }
  } catch {
    return null
  }
}

async function judge(expectation: Expectation, actual: unknown): Promise<Verdict> {
  const reason = whyNotJudged(expectation)
  if (reason) return { state: 'SKIPPED', message: reason }
  const { name, path, assert, value } = expectation
  try {
    const { evaluateExpectation } = await read(JudgeExpectationDocument, {
      input: { expectation: { name, path, assert, value }, actual },
    })
    const { isMet, message } = evaluateExpectation
    return { state: isMet ? 'COMPLETED' : 'FAILED', message }
  } catch (error) {
    return { state: 'FAILED', message: error instanceof Error ? error.message : String(error) }
  }
}
