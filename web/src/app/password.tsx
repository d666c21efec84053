import { type FormEvent, useState } from 'react'
import { change } from '../graph/client.ts'
import { ChangePasswordDocument } from '../graph/generated.ts'
import { Button, Dialog } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'

/** Changes the own password. That ends the own sessions, so the page then asks for the new one. */
export function Password() {
  const [isOpen, setOpen] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const input = { current: String(form.get('current')), password: String(form.get('password')) }
    void attempt(async () => {
      await change(ChangePasswordDocument, { input })
      location.reload()
      return undefined
    })
  }
  return (
    <>
      <Button small look="plain" onClick={() => setOpen(true)}>
        Password
      </Button>
      {isOpen && (
        <Dialog title="Change the password" onClose={() => setOpen(false)}>
          <form className="plain-form" onSubmit={submit}>
            <p className="soft">It ends your sessions: sign in with the new one.</p>
            <label className="field">
              The password so far
              <input name="current" type="password" autoComplete="current-password" required />
            </label>
            <label className="field">
              The new one, with at least 12 characters
              <input
                name="password"
                type="password"
                autoComplete="new-password"
                minLength={12}
                maxLength={256}
                required
              />
            </label>
            <div className="ends">
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button type="submit" look="primary">
                Change
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  )
}
