import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import { AssignEventDocument } from '../graph/generated.ts'
import { FormButton } from '../ui/inputs.tsx'

interface AssignProps {
  event: { id: string; assignee: string | null; ticket: string | null }
  onDone(): void
}

/** Says who looks at an event, and which ticket is about it. */
export function Assign({ event: { id, assignee, ticket }, onDone }: AssignProps) {
  const may = useMay('events:write')
  const submit = async (form: FormData) => {
    const text = (name: string) => String(form.get(name)).trim() || null
    const input = { id, assignee: text('assignee'), ticket: text('ticket') }
    await change(AssignEventDocument, { input })
    onDone()
  }
  if (!may) return null
  return (
    <FormButton label="Assign" title="Assign this event" action="Save" submit={submit}>
      <label className="field">
        Assigned to
        <input name="assignee" maxLength={200} defaultValue={assignee ?? ''} />
      </label>
      <label className="field">
        Ticket, its address or its key
        <input name="ticket" maxLength={2000} defaultValue={ticket ?? ''} />
      </label>
    </FormButton>
  )
}

/** A ticket, which leads to its address if it is one. */
export const Ticket = ({ ticket }: { ticket: string }) =>
  /^https?:\/\//.test(ticket) ? (
    <a href={ticket} rel="noreferrer" target="_blank">
      {ticket}
    </a>
  ) : (
    ticket
  )
