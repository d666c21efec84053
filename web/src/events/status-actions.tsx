import { useRef } from 'react'
import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import { SetEventStatusesDocument, type SettableStatus } from '../graph/generated.ts'
import { plural } from '../ui/format.ts'
import type { IconName } from '../ui/icon.tsx'
import { Button } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'

const ACTIONS: readonly { status: SettableStatus; title: string; done: string; icon: IconName }[] =
  [
    { status: 'ACKNOWLEDGED', title: 'Acknowledge', done: 'acknowledged', icon: 'eye' },
    { status: 'CLOSED', title: 'Close', done: 'closed', icon: 'check' },
    { status: 'OPEN', title: 'Reopen', done: 'reopened', icon: 'again' },
  ]

interface StatusActionsProps {
  ids: readonly string[]
  /** Hides the action that would change nothing. */
  current?: string
  onDone(): void
}

/** What a person sets one event or many to, with a comment. */
export function StatusActions({ ids, current, onDone }: StatusActionsProps) {
  const may = useMay('events:write')
  const comment = useRef<HTMLInputElement>(null)
  const set = (status: SettableStatus, done: string) =>
    attempt(async () => {
      const text = comment.current?.value.trim() || null
      const input = { ids: [...ids], status, comment: text }
      const { setEventStatuses } = await change(SetEventStatusesDocument, { input })
      if (comment.current) comment.current.value = ''
      onDone()
      const changed = setEventStatuses.filter(({ outcome }) => outcome === 'CHANGED').length
      return `${plural(changed, 'event')} ${done}`
    })
  if (!may) return null
  return (
    <>
      <input
        ref={comment}
        className="input comment"
        aria-label="Comment"
        placeholder="Comment (optional)"
      />
      {ACTIONS.filter(({ status }) => status !== current).map(({ status, title, done, icon }) => (
        <Button key={status} icon={icon} onClick={() => set(status, done)}>
          {title}
        </Button>
      ))}
    </>
  )
}
