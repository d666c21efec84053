import { Link } from '@tanstack/react-router'
import { artifactName, nameOf, Verdict } from '../causes/parts.tsx'
import { WhyItFailedDocument, type WhyItFailedQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { plural } from '../ui/format.ts'
import { Fact } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'

type Since = NonNullable<NonNullable<WhyItFailedQuery['executionResult']>['failingSince']>

/** Cause of a failure, the run since which it fails, and what changed then. */
export function Why({ id }: { id: string }) {
  const { data } = useRead(WhyItFailedDocument, { id })
  const { cause, failingSince } = data?.executionResult ?? {}
  if (!cause && !failingSince) return null
  return (
    <dl className="facts wide">
      {cause && (
        <Fact name="Cause">
          <Link to="/executions/causes/$id" params={{ id: cause.causeId }} title={cause.message}>
            {nameOf(cause)}
          </Link>{' '}
          <Verdict of={cause} />{' '}
          {cause.scenarioCount > 1 && (
            <span className="faint">in {plural(cause.scenarioCount, 'scenario')}</span>
          )}
        </Fact>
      )}
      {failingSince?.first && (
        <Fact name="Fails since">
          {failingSince.first.id === id ? (
            'this run'
          ) : (
            <Link to="/executions/$id" params={{ id: failingSince.first.id }}>
              <Ago at={failingSince.first.started} />
            </Link>
          )}
          {failingSince.failures > 1 && (
            <span className="faint">, {plural(failingSince.failures, 'run')}</span>
          )}
        </Fact>
      )}
      {failingSince && <Changed since={failingSince} id={id} />}
    </dl>
  )
}

/** Names of artifacts that ran; labels are names. */
function nameIn(first: Since['first'], kind: string, name: string): string {
  const { environment, revisions = [] } = first ?? {}
  return kind === 'environment' && environment?.id === name
    ? environment.name
    : artifactName(revisions, kind, name)
}

const Changed = ({ since: { lastGood, first, changes }, id }: { since: Since; id: string }) =>
  lastGood ? (
    <Fact name="Changed then">
      {changes.length === 0 && 'nothing that is recorded'}
      {changes.map(({ kind, name, before, after }) => (
        <span key={`${kind} ${name}`} className="row tight">
          {kind} {nameIn(first, kind, name)}: {before || 'none'} → {after || 'none'}
        </span>
      ))}{' '}
      <Link to="/executions/compare" search={{ a: lastGood.id, b: first?.id ?? id }}>
        Compare
      </Link>
    </Fact>
  ) : (
    <Fact name="Last good">none</Fact>
  )
