import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useBatch } from '../graph/batch.ts'
import { read } from '../graph/client.ts'
import { EventOpeningDocument, type EventRowFragment } from '../graph/generated.ts'
import { EVENTS, useFollow } from '../graph/use-follow.ts'
import { Check } from '../ui/inputs.tsx'
import { createStore } from '../ui/store.ts'
import { attempt } from '../ui/toasts.tsx'
import { announce, isAllowed, useAnnounced } from './announce.ts'
import { Openings } from './openings.ts'
import { followed } from './query.ts'

/** More at once are one announcement. */
const MOST_AT_ONCE = 3
const GATHER_MS = 1_000

/** Query whose events would be announced if they opened now. */
const followedQuery = createStore<string | null>(null)

/** Announces events that open, on whichever page the reader is. */
export default function Announcer() {
  const query = useAnnounced()
  return query !== null && isAllowed() && <Following key={query} query={query} />
}

function Following({ query }: { query: string }) {
  const navigate = useNavigate()
  const [openings] = useState(() => new Openings())
  const { others, isWanted } = followed(query || null)
  const show = useBatch<EventRowFragment>((events) => {
    if (events.length > MOST_AT_ONCE)
      announcement(`${events.length} events opened`, { tag: query }, () =>
        navigate({ to: '/events', search: query ? { q: query } : {} }),
      )
    else
      for (const event of events)
        announcement(titleOf(event), { tag: event.id, body: bodyOf(event) }, () =>
          navigate({ to: '/events/$id', params: { id: event.id } }),
        )
  }, GATHER_MS)
  const isPlaced = useFollow(
    EVENTS,
    { query: others },
    async ({ event }) => {
      // An open one that the query does not want yet may be raised into it.
      if (event.status === 'OPEN' && !isWanted(event)) return
      if (await openings.isNew(event, () => read(EventOpeningDocument, { id: event.id })))
        show(event)
    },
    () => {},
  )
  useEffect(() => {
    if (isPlaced) followedQuery.set(query)
    return () => followedQuery.set(null)
  }, [isPlaced, query])
  return null
}

const titleOf = ({ severity, title }: EventRowFragment) => `${severity} ${title}`

const bodyOf = ({ source, message }: EventRowFragment) =>
  [source?.name ?? source?.ref, message].filter(Boolean).join(' · ')

function announcement(title: string, options: NotificationOptions, open: () => unknown): void {
  const shown = new Notification(title, options)
  shown.onclick = () => {
    window.focus()
    shown.close()
    void open()
  }
}

/** Turns announcements of a query on and off. */
export function AnnounceQuery({ query }: { query: string }) {
  const isOn = useAnnounced() === query && isAllowed()
  const isFollowed = followedQuery.use() === query
  return (
    <Check
      className="chip"
      label="Notify in this browser"
      isOn={isOn}
      isBusy={isOn && !isFollowed}
      onChange={() => attempt(() => announce(isOn ? null : query))}
    />
  )
}
