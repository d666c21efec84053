import { Link } from '@tanstack/react-router'
import { DeleteSilenceDocument, SilenceDetailDocument } from '../graph/generated.ts'
import { ArtifactPage, RevisionFacts } from '../repository/artifact-page.tsx'
import { KINDS, StoredArtifact } from '../repository/reading.tsx'
import { Fact } from '../ui/parts.tsx'
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
      {null}
    </ArtifactPage>
  )
}
