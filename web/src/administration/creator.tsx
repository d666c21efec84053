import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, Dialog } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'

interface CreatorProps {
  /** What is created, such as account. */
  noun: string
  /** @throws Error that says why it was not */
  create(form: FormData): Promise<void>
  /** The fields of the form. */
  children: ReactNode
}

/** A button that opens a form, and closes it once something was created. */
export function Creator({ noun, create, children }: CreatorProps) {
  const [isOpen, setOpen] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void attempt(async () => {
      await create(form)
      setOpen(false)
      return undefined
    })
  }
  return (
    <div className="row">
      <Button look="primary" onClick={() => setOpen(true)}>
        New {noun}
      </Button>
      {isOpen && (
        <Dialog title={`New ${noun}`} onClose={() => setOpen(false)}>
          <form className="plain-form" onSubmit={submit}>
            {children}
            <div className="ends">
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button type="submit" look="primary">
                Create
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </div>
  )
}
