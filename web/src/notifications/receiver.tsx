import { DeleteReceiverDocument, ReceiverDetailDocument } from '../graph/generated.ts'
import { ArtifactPage, RevisionFacts } from '../repository/artifact-page.tsx'
import { KINDS, StoredArtifact } from '../repository/reading.tsx'
import { Card, Fact } from '../ui/parts.tsx'
import { addressOf, draftOfReceiver, mappingOf, type Receiver } from './receiver-draft.ts'
import { ReceiverTrial } from './receiver-trial.tsx'

/** A receiver: its address, how it maps, and a trial. */
export default function ReceiverPage() {
  return (
    <StoredArtifact kind={KINDS.receiver} document={ReceiverDetailDocument}>
      {(receiver) => <Shown receiver={receiver} />}
    </StoredArtifact>
  )
}

function Shown({ receiver }: { receiver: Receiver }) {
  const draft = draftOfReceiver(receiver)
  return (
    <ArtifactPage
      kind={KINDS.receiver}
      artifact={receiver}
      attributes={mappingOf(draft)}
      remove={DeleteReceiverDocument}
      facts={
        <>
          <Fact name="Address">
            <code>{addressOf(receiver.name)}</code>
          </Fact>
          <Fact name="Sender">
            {receiver.secret === null ? 'signs in' : 'has the secret of the receiver'}
          </Fact>
          <RevisionFacts {...receiver} />
        </>
      }
    >
      <Card title="Mapping">
        <pre className="body" tabIndex={0}>
          {draft.mapping}
        </pre>
      </Card>
      <ReceiverTrial mapping={draft.mapping} />
    </ArtifactPage>
  )
}
