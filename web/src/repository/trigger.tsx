import { Link } from '@tanstack/react-router'
import { change } from '../graph/client.ts'
import {
  DeleteTriggerDocument,
  TriggerDetailDocument,
  UpdateTriggerDocument,
} from '../graph/generated.ts'
import { Card, Fact } from '../ui/parts.tsx'
import { KINDS, StoredArtifact } from './reading.tsx'
import { draftOfTrigger, inputOfTrigger, type Trigger } from './trigger-draft.ts'
import { SENDERS, Sender } from './trigger-sender.tsx'
import { UnattendedPage } from './unattended.tsx'

/** A trigger: what starts it, and how its last run went. */
export default function TriggerPage() {
  return (
    <StoredArtifact kind={KINDS.trigger} document={TriggerDetailDocument}>
      {(trigger) => (
        <UnattendedPage
          kind={KINDS.trigger}
          artifact={trigger}
          input={inputOfTrigger(draftOfTrigger(trigger))}
          setEnabled={(enabled) => {
            const { id, revision } = trigger
            const input = inputOfTrigger({ ...draftOfTrigger(trigger), enabled })
            return change(UpdateTriggerDocument, { input: { ...input, id, revision: [revision] } })
          }}
          remove={DeleteTriggerDocument}
          facts={
            <>
              <Fact name="Enabled">{trigger.enabled ? 'Yes' : 'No'}</Fact>
              <Fact name="At most">{trigger.perHour} within an hour</Fact>
            </>
          }
        >
          <StartedBy {...trigger} />
        </UnattendedPage>
      )}
    </StoredArtifact>
  )
}

const StartedBy = ({ name, query, on, webhook }: Trigger) =>
  webhook ? (
    <Card title={SENDERS[webhook].title}>
      <div className="stack body">
        <Sender name={name} webhook={webhook} />
        <p className="under">The secret is stored sealed. Edit the trigger to replace it.</p>
      </div>
    </Card>
  ) : (
    <Card title="Changes of events">
      <div className="stack body">
        <Link to="/events" search={{ q: query ?? '' }} className="mono">
          {query}
        </Link>
        <span className="soft">{on.map((kind) => kind.toLowerCase()).join(', ')}</span>
      </div>
    </Card>
  )
