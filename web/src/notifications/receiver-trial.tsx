import { useId, useState } from 'react'
import { read } from '../graph/client.ts'
import { ReceiverPreviewDocument, type ReceiverPreviewQuery } from '../graph/generated.ts'
import { count } from '../ui/format.ts'
import { Button, Card } from '../ui/parts.tsx'
import { Problem } from '../ui/waiting.tsx'
import { mappingOf } from './receiver-draft.ts'

const EXAMPLE = '{ "job": "nightly", "host": "db1", "state": "failed" }'

type Preview = ReceiverPreviewQuery['receiverPreview']

/** Tries a mapping, which need not be stored, against a body. */
export function ReceiverTrial({ mapping }: { mapping: string }) {
  const id = useId()
  const [body, setBody] = useState(EXAMPLE)
  const [tried, setTried] = useState<Preview | { fault: string } | null>(null)
  const run = async () => {
    try {
      const input = { receiver: mappingOf({ mapping }), body: bodyOf(body) }
      setTried((await read(ReceiverPreviewDocument, { input })).receiverPreview)
    } catch (error) {
      setTried({ fault: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <Card title="Try it" aside={<Button onClick={run}>Show its events</Button>}>
      <div className="stack body">
        <label htmlFor={id}>Body that the tool sends</label>
        <textarea
          id={id}
          className="mono"
          rows={6}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
        {tried && ('fault' in tried ? <Problem message={tried.fault} /> : <Events {...tried} />)}
      </div>
    </Card>
  )
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The body is no JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

const Events = ({ total, events }: Preview) => (
  <>
    <p className="under">{count(total)} of the body, nothing is stored</p>
    <ol className="stack tight">
      {events.map(({ event, occurrenceId, refused }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a body have no other name
        <li key={at}>
          {refused ? (
            <span className="fault">{refused}</span>
          ) : (
            <pre tabIndex={0}>{JSON.stringify({ ...event, occurrenceId }, withoutNull, 2)}</pre>
          )}
        </li>
      ))}
    </ol>
  </>
)

const withoutNull = (_: string, value: unknown) => value ?? undefined
