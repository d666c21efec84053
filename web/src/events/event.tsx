import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { EventDetailDocument, type EventDetailQuery } from '../graph/generated.ts'
import { EVENTS, useFollow } from '../graph/use-follow.ts'
import { useRead } from '../graph/use-read.ts'
import { crumbOf, KINDS, Reading } from '../repository/reading.tsx'
import { plural, shown } from '../ui/format.ts'
import { Card, Fact, Page } from '../ui/parts.tsx'
import { spanOf } from '../ui/range.ts'
import { Severity, StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { Assign, Ticket } from './assign.tsx'
import { OwnHistogram } from './histogram.tsx'
import { Occurrences } from './occurrences.tsx'
import { identityOf } from './query.ts'
import { StatusActions } from './status-actions.tsx'
import { StatusHistory } from './status-history.tsx'

const route = getRouteApi('/events/$id')
const KIND = { noun: 'event', icon: 'bell', list: { to: '/events', title: 'Events' } } as const
type Detail = NonNullable<EventDetailQuery['event']>

/** One event: what it is, how often and when it happened, and what became of it. */
export default function Event() {
  const { id } = route.useParams()
  const [from] = useState(() => spanOf({ last: '7d' }, Date.now()).from)
  const reading = useRead(EventDetailDocument, { id, from })
  const { data, reload } = reading
  const isFollowed = useFollow(
    EVENTS,
    data?.event ? { query: identityOf(data.event) } : null,
    ({ event }) => {
      if (event.id === id) reload()
    },
    reload,
  )
  const readAgain = useEffectEvent(reload)
  // The first reading named what to follow, and something may have changed since.
  useEffect(() => {
    if (isFollowed) readAgain()
  }, [isFollowed])
  return (
    <Reading kind={KIND} reading={reading} found={reading.error ? null : data?.event}>
      {(event) => (
        <Page
          title={event.title}
          crumbs={crumbOf(KIND)}
          beside={
            <>
              <Severity severity={event.severity} />
              <StateBadge state={event.status} />
            </>
          }
          actions={
            <>
              <Assign event={event} onDone={reload} />
              <StatusActions nodeIds={[event.nodeId]} current={event.status} onDone={reload} />
            </>
          }
        >
          {event.silences.map(({ silenceId, name, reason }) => (
            <p key={silenceId} className="notice">
              Its notifications are kept back by{' '}
              <Link to={KINDS.silence.page} params={{ id: silenceId }}>
                {name}
              </Link>
              : {reason}
            </p>
          ))}
          {event.message && <p className="code">{event.message}</p>}
          <Facts event={event} />
          <Card title="Occurrences in the last 7 d">
            <div className="body">
              <OwnHistogram buckets={event.histogram} />
            </div>
          </Card>
          <div className="two">
            <StatusHistory key={event.statusHistory.nodes[0]?.at} id={id} />
            <Fingerprint event={event} />
          </div>
          <Occurrences key={event.timesSeen} id={id} />
        </Page>
      )}
    </Reading>
  )
}

function Facts({ event }: { event: Detail }) {
  const facts: readonly [string, ReactNode][] = [
    ['Seen', plural(event.timesSeen, 'time')],
    ['First', <Ago key="first" at={event.firstSeenAt} />],
    ['Last', <Ago key="last" at={event.lastSeenAt} />],
    ['Assigned to', event.assignee],
    ['Ticket', event.ticket && <Ticket ticket={event.ticket} />],
    ['Source', named(event.source)],
    ['Sender', named(event.sender)],
    ['Class', event.eventClass],
    [
      'Tags',
      event.tags.length > 0 &&
        event.tags.map((tag) => (
          <span key={tag} className="tag">
            {tag}
          </span>
        )),
    ],
    [
      'Execution',
      event.execution && (
        <Link to="/executions/$id" params={{ id: event.execution.id }}>
          The latest one
        </Link>
      ),
    ],
    [
      'Of',
      event.executionContext && (
        <Link
          to={KINDS[event.executionContext.__typename === 'Suite' ? 'suite' : 'scenario'].page}
          params={{ id: event.executionContext.id }}
        >
          {event.executionContext.name}
        </Link>
      ),
    ],
    ...Object.entries(event.properties).map(([name, value]): [string, ReactNode] => [
      name,
      shown(value),
    ]),
  ]
  return (
    <dl className="facts wide">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
    </dl>
  )
}

const named = (source: Detail['source']): string | null =>
  source && [source.type, source.name ?? source.ref].filter(Boolean).join(' ')

const Fingerprint = ({
  event: {
    fingerprint,
    fingerprintExplanation: { used, ignored },
  },
}: {
  event: Detail
}) => (
  <Card title="Why these occurrences are one event">
    <div className="stack body">
      <p className="soft">
        Occurrences with the same values of these fields have the same fingerprint:
      </p>
      <dl className="facts">
        {used.map(({ name, value }) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd className="mono">{shown(value)}</dd>
          </div>
        ))}
      </dl>
      {ignored.length > 0 && (
        <p className="under">
          Without effect, as the event has no value there: {ignored.join(', ')}
        </p>
      )}
      <p className="under mono anywhere">{fingerprint}</p>
    </div>
  </Card>
)
