import { useRef, useState } from 'react'
import { useMay } from '../app/account.tsx'
import type { SettableStatus } from '../graph/generated.ts'
import { count, plural } from '../ui/format.ts'
import type { IconName } from '../ui/icon.tsx'
import { Button } from '../ui/parts.tsx'
import { attempt, say, toast } from '../ui/toasts.tsx'
import { AT_ONCE, type Known, setStatus, undo, undoable } from './set-status.ts'

const ACTIONS: readonly { status: SettableStatus; title: string; done: string; icon: IconName }[] =
  [
    { status: 'ACKNOWLEDGED', title: 'Acknowledge', done: 'acknowledged', icon: 'eye' },
    { status: 'CLOSED', title: 'Close', done: 'closed', icon: 'check' },
    { status: 'OPEN', title: 'Reopen', done: 'reopened', icon: 'again' },
  ]

interface StatusActionsProps {
  nodeIds: readonly string[]
  /** Hides the action that would change nothing. */
  current?: string
  /** @param done those that were set; none when they were set back */
  onDone(done: readonly string[]): void
}

/** Actions that set the status of one event or many, with a comment. */
export function StatusActions({ nodeIds, current, onDone }: StatusActionsProps) {
  const may = useMay('events:write')
  const comment = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState('')
  const show = (done: number, word: string) => {
    if (nodeIds.length <= AT_ONCE) return
    const text = `${count(done)} of ${count(nodeIds.length)} ${word}`
    setProgress(text)
    say(text)
  }
  const set = (status: SettableStatus, word: string) =>
    attempt(async () => {
      if (progress) return
      const text = comment.current?.value.trim() || null
      let done = 0
      const changed: Known[] = []
      let failure = ''
      try {
        for (; done < nodeIds.length; done += AT_ONCE) {
          show(done, word)
          changed.push(...(await setStatus(nodeIds.slice(done, done + AT_ONCE), status, text)))
        }
        if (comment.current) comment.current.value = ''
      } catch (error) {
        if (done === 0) throw error
        failure = `, the others are still selected. ${(error as Error).message}`
      } finally {
        setProgress('')
      }
      onDone(nodeIds.slice(0, done))
      const back = undoable(changed, status)
      const takeBack = async () => {
        try {
          return await undo(back, status)
        } finally {
          onDone([])
        }
      }
      toast(
        failure ? 'bad' : 'good',
        `${plural(changed.length, 'event')} ${word}${failure}`,
        back.length > 0 ? takeBack : undefined,
      )
    })
  if (!may) return null
  return (
    <>
      {progress && <span>{progress}</span>}
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
