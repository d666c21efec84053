import { Link } from '@tanstack/react-router'
import {
  DeleteSilenceDocument,
  SilenceDetailDocument,
  SilencePreviewDocument,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { ArtifactPage, RevisionFacts } from '../repository/artifact-page.tsx'
import { KINDS, StoredArtifact } from '../repository/reading.tsx'
import { count } from '../ui/format.ts'
import { Card, Fact } from '../ui/parts.tsx'
import { Severity, StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { Problem } from '../ui/waiting.tsx'
import { draftOfSilence, inputOfSilence, type Silence } from './drafts.ts'
import { SilenceTimes } from './silence-times.tsx'

/** A silence: which events it keeps back, when and why. */
export default function SilencePage() {
  return (
    <StoredArtifact kind={KINDS.silence} document={SilenceDetailDocument}>
      {(silence) => <Shown silence={silence} />}
    </StoredArtifact>
  )
}

function Shown({ silence }: { silence: Silence }) {
  const { name: _, description: __, ...attributes } = inputOfSilence(draftOfSilence(silence))
  const { query } = silence
  return (
    <ArtifactPage
      kind={KINDS.silence}
      artifact={silence}
      attributes={attributes}
      remove={DeleteSilenceDocument}
      facts={
        <>
          <Fact name="Events">
            <Link to="/events" search={{ q: query }} className="mono">
              {query}
            </Link>
          </Fact>
          <Fact name="Times">
            <SilenceTimes {...silence} />
          </Fact>
          <Fact name="Reason">{silence.reason}</Fact>
          <Fact name="At its end">
            {silence.notifyAtEnd ? 'what is still open is notified' : 'only what it kept back'}
          </Fact>
          <RevisionFacts {...silence} />
        </>
      }
    >
      <Matched id={silence.id} />
    </ArtifactPage>
  )
}

/** Open events that it matches now. */
function Matched({ id }: { id: string }) {
  const { data, error, reload } = useRead(SilencePreviewDocument, { id })
  const preview = data?.silencePreview
  return (
    <Card
      title={preview?.isActive === false ? 'Open events that it would keep back' : 'Kept back now'}
      aside={preview && <span className="under number">{count(preview.total)}</span>}
    >
      {error && <Problem message={error} retry={reload} />}
      <ul className="stack body tight">
        {preview?.total === 0 && <li className="faint">No open event</li>}
        {preview?.events.map((event) => (
          <li key={event.id} className="row">
            <Severity severity={event.severity} />
            <StateBadge state={event.status} />
            <Link to="/events/$id" params={{ id: event.id }} className="grow cut">
              {event.title}
            </Link>
            <Ago at={event.lastSeenAt} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
