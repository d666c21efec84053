import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import {
  ChannelDetailDocument,
  ChannelNotificationsDocument,
  DeleteChannelDocument,
  RedeliverNotificationDocument,
  TestChannelDocument,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { ArtifactPage, RevisionFacts } from '../repository/artifact-page.tsx'
import { KINDS, StoredArtifact } from '../repository/reading.tsx'
import { Button, Card, Fact } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { type Channel, draftOfChannel, inputOfChannel } from './drafts.ts'
import { CHANNEL_KINDS } from './words.ts'

/** A channel: where it leads, and what went there. */
export default function ChannelPage() {
  return (
    <StoredArtifact kind={KINDS.channel} document={ChannelDetailDocument}>
      {(channel) => <Shown channel={channel} />}
    </StoredArtifact>
  )
}

function Shown({ channel }: { channel: Channel }) {
  const mayTest = useMay('channels:manage')
  const mayRead = useMay('callbacks:manage')
  const { name: _, description: __, ...attributes } = inputOfChannel(draftOfChannel(channel))
  const test = () =>
    attempt(async () => {
      const { testChannel } = await change(TestChannelDocument, { input: { id: channel.id } })
      const { status, error } = testChannel
      if (error !== null) throw new Error(status === null ? error : `${status}: ${error}`)
      return `The test was sent: the other side answered ${status}`
    })
  return (
    <ArtifactPage
      kind={KINDS.channel}
      artifact={channel}
      attributes={attributes}
      remove={DeleteChannelDocument}
      actions={mayTest && <Button onClick={test}>Send a test</Button>}
      facts={
        <>
          <Fact name="Kind">{CHANNEL_KINDS[channel.kind]}</Fact>
          <Fact name="Address">{channel.url ?? channel.to.join(', ')}</Fact>
          <RevisionFacts {...channel} />
        </>
      }
    >
      {mayRead && <Sent channelId={channel.id} />}
    </ArtifactPage>
  )
}

/** Its latest notifications. */
function Sent({ channelId }: { channelId: string }) {
  const { data, reload } = useRead(ChannelNotificationsDocument, { channelId })
  const again = (id: string) =>
    attempt(async () => {
      await change(RedeliverNotificationDocument, { input: { id } })
      reload()
      return 'The notification is delivered again'
    })
  const nodes = data?.notifications.nodes ?? []
  return (
    <Card title="Latest notifications">
      <ul className="stack body tight">
        {data && nodes.length === 0 && <li className="faint">None yet</li>}
        {nodes.map(({ id, state, created, attempts }) => (
          <li key={id} className="row">
            <StateBadge state={state} />
            <Ago at={created} />
            <span className="grow cut soft">{attempts.at(-1)?.error}</span>
            {state !== 'PENDING' && (
              <Button small icon="again" onClick={() => again(id)}>
                Deliver again
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
