import { Link } from '@tanstack/react-router'
import type { CauseRowFragment } from '../graph/generated.ts'
import { plural } from '../ui/format.ts'
import { Ago } from '../ui/time.tsx'
import { VERDICTS } from './search.ts'

type Named = Pick<CauseRowFragment, 'fault' | 'step' | 'expectation' | 'since'>
type Revisions = NonNullable<CauseRowFragment['since']>['revisions']

/** Name of an artifact that an execution ran; its id where none is known. */
export const artifactName = (revisions: Revisions, of: string, id: string): string =>
  revisions.find(({ kind, artifactId }) => kind === of && artifactId === id)?.name ?? id

/** A cause in a few words: what happened, and where. */
export const nameOf = ({ fault, step, expectation, since }: Named): string => {
  const place = artifactName(since?.revisions ?? [], 'component', step)
  return [fault === 'EXPECTATION' ? expectation : fault, place].filter(Boolean).join(' · ')
}

export const Verdict = ({ of }: { of: Pick<CauseRowFragment, 'verdict' | 'owner'> }) => (
  <>
    {of.verdict && <span className="badge">{VERDICTS[of.verdict]}</span>}
    {of.owner && <span className="faint">{of.owner}</span>}
  </>
)

/** A cause as a line of a card. */
export const CauseLine = ({ of }: { of: CauseRowFragment }) => (
  <li>
    <div className="grow">
      <div className="cut">
        <Link to="/executions/causes/$id" params={{ id: of.causeId }}>
          {nameOf(of)}
        </Link>{' '}
        <Verdict of={of} />
      </div>
      <div className="under cut" title={of.message}>
        {of.message}
      </div>
    </div>
    <span className="under nowrap number">
      {plural(of.currentCount, 'scenario')}
      {of.since && (
        <>
          , since <Ago at={of.since.started} />
        </>
      )}
    </span>
  </li>
)
