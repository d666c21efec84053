import { parseExact } from '../graph/exact.ts'
import {
  ExecutionEvidenceDocument,
  type ExecutionEvidenceQuery,
  ExecutionLogDocument,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { count, duration, plural, shown } from '../ui/format.ts'

type Step = NonNullable<ExecutionEvidenceQuery['executionResult']>['steps'][number]
type Exchange = NonNullable<Step['exchange']>
type Call = NonNullable<Step['call']>

/** Call or last request of a step with what came of it, and its captures. The server masks secrets. */
export function Evidence({ id, path }: { id: string; path: string }) {
  const { data } = useRead(ExecutionEvidenceDocument, { id })
  const step = data?.executionResult?.steps.find((each) => each.path === path)
  return (
    <>
      {step?.exchange && <ExchangeView exchange={step.exchange} />}
      {step?.call && <CallView id={id} path={path} call={step.call} />}
      {step?.captures && Object.keys(step.captures).length > 0 && (
        <section className="stack tight" aria-label="Captures">
          <h3>Captured</h3>
          <pre className="code" tabIndex={0}>
            {shown(step.captures)}
          </pre>
        </section>
      )}
    </>
  )
}

/** Lines of output that are shown beside a call; the log has all of them. */
const OUTPUT = 50

/** A call, and what was written while it ran. */
function CallView({ id, path, call }: { id: string; path: string; call: Call }) {
  const filter = { step: path, sources: [call.component] }
  const { data } = useRead(ExecutionLogDocument, { id, first: OUTPUT, filter, count: false })
  const lines = data?.executionResult?.logLines.nodes ?? []
  return (
    <section className="stack" aria-label="Call">
      <p className="code">
        {call.component}: <strong>{call.function}</strong>
      </p>
      <div className="versus">
        <Part title="Arguments" value={call.args} />
        <Part title="Result" value={call.result} />
      </div>
      {lines.length > 0 && (
        <Part title="Output" value={lines.map(({ message }) => message).join('\n')} />
      )}
    </section>
  )
}

const Part = ({ title, value }: { title: string; value: unknown }) => (
  <section className="stack tight" aria-label={title}>
    <h3>{title}</h3>
    {value == null ? (
      <p className="faint">None, or too long to be kept</p>
    ) : (
      <pre className="code" tabIndex={0}>
        {shown(value)}
      </pre>
    )}
  </section>
)

const ExchangeView = ({ exchange: { request, response, durationMs } }: { exchange: Exchange }) => (
  <div className="versus">
    <section className="stack tight" aria-label="Request">
      <h3>Request</h3>
      <p className="code">
        <strong>{request.method}</strong> {request.url}
      </p>
      <Message {...request} />
    </section>
    <section className="stack tight" aria-label="Response">
      <h3>Response after {duration(durationMs)}</h3>
      {response ? (
        <>
          <p className="code">
            <strong>{response.status}</strong>
          </p>
          <Message {...response} />
        </>
      ) : (
        <p className="faint">None came.</p>
      )}
    </section>
  </div>
)

const Message = ({
  headers,
  body,
  bodyLength,
}: Pick<Exchange['request'], 'headers' | 'body' | 'bodyLength'>) => (
  <>
    <details>
      <summary>{plural(Object.keys(headers).length, 'header')}</summary>
      <dl className="facts code">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name} className="pair">
            <dt>{name}</dt>
            <dd>{shown(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
    {body === null ? (
      <p className="under">No body</p>
    ) : (
      <pre className="code" tabIndex={0}>
        {indented(body)}
      </pre>
    )}
    {body !== null && bodyLength > body.length && (
      <p className="under">
        The first {count(body.length)} of {count(bodyLength)} characters
      </p>
    )}
  </>
)

/** JSON is laid out; other texts stay as they are. */
function indented(body: string): string {
  try {
    return JSON.stringify(parseExact(body), null, 2)
  } catch {
    return body
  }
}
