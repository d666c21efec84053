import { type FormHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useState } from 'react'
import type { IconName } from './icon.tsx'
import { Button, Dialog } from './parts.tsx'
import { attempt } from './toasts.tsx'

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> {
  onSubmit(form: FormData): void
}

/** A form whose fields are read when it is submitted. */
export const Form = ({ onSubmit, ...others }: FormProps) => (
  <form
    {...others}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit(new FormData(event.currentTarget))
    }}
  />
)

interface FormDialogProps {
  title: string
  /** Text of the button that submits it. */
  action: string
  icon?: IconName
  onSubmit(form: FormData): void
  onClose(): void
  children: ReactNode
}

export const FormDialog = ({
  title,
  action,
  icon,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form className="plain-form" onSubmit={onSubmit}>
      {children}
      <div className="ends">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" icon={icon}>
          {action}
        </Button>
      </div>
    </Form>
  </Dialog>
)

interface FormButtonProps {
  label: string
  look?: 'primary' | 'plain'
  small?: boolean
  /** Title of the form; the text of the button if absent. */
  title?: string
  /** Text of the button that submits it. */
  action: string
  /** @throws Error that says why nothing was done */
  submit(form: FormData): Promise<void>
  /** The fields of the form. */
  children: ReactNode
}

/** A button that opens a form, which closes once it was submitted. */
export function FormButton({
  label,
  title = label,
  action,
  submit,
  children,
  ...looks
}: FormButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const onSubmit = (form: FormData) =>
    attempt(async () => {
      await submit(form)
      setOpen(false)
    })
  return (
    <>
      <Button {...looks} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <FormDialog {...{ title, action, onSubmit, children }} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

interface SelectProps<Name extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'> {
  label: string
  value: Name
  options: readonly { name: Name; title: string }[]
  onChange(name: Name): void
}

/** One of some options. */
export const Select = <Name extends string>({
  label,
  options,
  onChange,
  className = '',
  ...others
}: SelectProps<Name>) => (
  <select
    {...others}
    className={`input ${className}`}
    aria-label={label}
    onChange={({ target }) => {
      const chosen = options.find(({ name }) => name === target.value)
      if (chosen) onChange(chosen.name)
    }}
  >
    {options.map(({ name, title }) => (
      <option key={name} value={name}>
        {title}
      </option>
    ))}
  </select>
)

interface CheckProps {
  label: string
  isOn: boolean
  /** On, but not in effect yet. */
  isBusy?: boolean
  onChange(isOn: boolean): void
  className?: string
}

export const Check = ({
  label,
  isOn,
  isBusy,
  onChange,
  className = 'row tight check',
}: CheckProps) => (
  <label className={className} aria-busy={isBusy}>
    <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
)
