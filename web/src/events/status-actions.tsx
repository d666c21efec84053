import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import { SetEventStatusDocument, type SettableStatus } from '../graph/generated.ts'
import { plural } from '../ui/format.ts'
import type { IconName } from '../ui/icon.tsx'
import { Button } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'

const ACTIONS: readonly { status: SettableStatus; title: string; icon: IconName }[] = [
  { status: 'ACKNOWLEDGED', title: 'Acknowledge', icon: 'eye' },
  { status: 'CLOSED', title: 'Close', icon: 'check' },
  { status: 'OPEN', title: 'Reopen', icon: 'again' },
]

/** What a person sets one event or many to. @param current hides the action that would change nothing */
export function StatusActions({ ids, current, onDone }: { ids: readonly string[]; current?: string; onDone(): void }) {
  const may = useMay('events:write')
  const set = (status: SettableStatus, title: string) =>
    attempt(async () => {
      for (const id of ids) await change(SetEventStatusDocument, { input: { id, status } })
      onDone()
      return `${title}: ${plural(ids.length, 'event')}`
    })
  return ACTIONS.filter(({ status }) => status !== current).map(({ status, title, icon }) => (
    <Button key={status} icon={icon} disabled={!may} title={may ? undefined : 'You need the permission events:write'} onClick={() => set(status, title)}>
      {title}
    </Button>
  ))
}
