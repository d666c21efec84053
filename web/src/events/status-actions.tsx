import { useRef, useState } from 'react'
import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import { SetEventStatusesDocument, type SettableStatus } from '../graph/generated.ts'
import { count, plural } from '../ui/format.ts'
import type { IconName } from '../ui/icon.tsx'
import { Button } from '../ui/parts.tsx'
import { attempt, say } from '../ui/toasts.tsx'

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
  /** @param done the ids of those that were set */
  onDone(done: readonly string[]): void
}

/** The graph sets no more at once. */
const AT_ONCE = 1_000

/** What a person sets one event or many to, with a comment. */
export function StatusActions({ ids, current, onDone }: StatusActionsProps) {
  const may = useMay('events:write')
  const comment = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState('')
  const show = (done: number, word: string) => {
    if (ids.length <= AT_ONCE) return
    const text = `${count(done)} of ${count(ids.length)} ${word}`
    setProgress(text)
    say(text)
  }
  const set = (status: SettableStatus, word: string) =>
    attempt(async () => {
      const text = comment.current?.value.trim() || null
      let done = 0
      let changed = 0
      try {
        for (; done < ids.length; done += AT_ONCE) {
          show(done, word)
          const input = { ids: ids.slice(done, done + AT_ONCE), status, comment: text }
          const { setEventStatuses } = await change(SetEventStatusesDocument, { input })
          changed += setEventStatuses.filter(({ outcome }) => outcome === 'CHANGED').length
        }
      } catch (error) {
        if (done === 0) throw error
        throw new Error(
          `${plural(changed, 'event')} ${word}, the others are still chosen. ${(error as Error).message}`,
        )
      } finally {
        setProgress('')
        if (done > 0) onDone(ids.slice(0, done))
      }
      return `${plural(changed, 'event')} ${word}`
    })
  if (!may) return null
  if (progress) return <span>{progress}</span>
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
