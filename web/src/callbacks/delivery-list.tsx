import { change } from '../graph/client.ts'
import { type ExecutionCallbacksQuery, RedeliverCallbackDocument } from '../graph/generated.ts'
import { duration, exactTime, preciseClock } from '../ui/format.ts'
import { Button } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'

type Delivery = NonNullable<
  ExecutionCallbacksQuery['executionResult']
>['callbackDeliveries'][number]

/** Deliveries with every attempt. */
export const DeliveryList = ({
  deliveries,
  onChange,
}: {
  deliveries: readonly Delivery[]
  onChange(): void
}) => (
  <ul className="stack body">
    {deliveries.map(({ id, url, state, attempts, nextAttemptAt }) => (
      <li key={id} className="stack tight">
        <div className="row">
          <StateBadge state={state} />
          <span className="grow cut mono" title={url}>
            {url}
          </span>
          {state !== 'PENDING' && <Redeliver id={id} onChange={onChange} />}
        </div>
        <ol className="stack tight under">
          {attempts.map(({ started, durationMs, status, error }) => (
            <li key={started}>
              <Ago at={started} />: {error ?? `answered with ${status}`} after{' '}
              {duration(durationMs)}
            </li>
          ))}
          {nextAttemptAt && (
            <li>
              The next attempt is due at{' '}
              <time dateTime={nextAttemptAt} title={exactTime(nextAttemptAt)}>
                {preciseClock(nextAttemptAt)}
              </time>
            </li>
          )}
        </ol>
      </li>
    ))}
  </ul>
)

export const Redeliver = ({ id, onChange }: { id: string; onChange(): void }) => (
  <Button
    small
    icon="again"
    onClick={() =>
      attempt(async () => {
        await change(RedeliverCallbackDocument, { input: { id } })
        onChange()
        return 'The callback is delivered again'
      })
    }
  >
    Deliver again
  </Button>
)
