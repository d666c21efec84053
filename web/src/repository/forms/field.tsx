import { type ReactNode, useId } from 'react'
import { type Fault, faultsAt } from './faults.ts'

interface FieldProps {
  label: string
  /** The attribute that it is for. */
  place: string
  faults: readonly Fault[]
  hint?: string
  /** The input, with what says to all readers whether it is right. */
  children(described: Described): ReactNode
}

export interface Described {
  id: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** An input with its label, and its faults below it. */
export function Field({ label, place, faults, hint, children }: FieldProps) {
  const id = useId()
  const own = faultsAt(faults, place)
  const isWrong = own.length > 0
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(isWrong && { 'aria-invalid': true }),
        ...((isWrong || hint) && { 'aria-describedby': `${id}-note` }),
      })}
      <div id={`${id}-note`}>
        {hint && !isWrong && <p className="under">{hint}</p>}
        <Faults faults={own} />
      </div>
    </div>
  )
}

export const Faults = ({ faults }: { faults: readonly Fault[] }) =>
  faults.map(({ message }) => (
    <p key={message} className="fault">
      {message}
    </p>
  ))

interface TextProps extends Omit<FieldProps, 'children'> {
  value: string
  onChange(value: string): void
  isRequired?: boolean
}

export const TextField = ({ value, onChange, isRequired, ...field }: TextProps) => (
  <Field {...field}>
    {(described) => (
      <input
        {...described}
        value={value}
        required={isRequired}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)

interface LinesProps extends Omit<TextProps, 'isRequired'> {
  rows?: number
}

/** A text of several lines. */
export const LinesField = ({ value, onChange, rows, ...field }: LinesProps) => (
  <Field {...field}>
    {(described) => (
      <textarea
        {...described}
        rows={rows}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
