import { useState } from 'react'
import { exactTime } from './format.ts'
import { FormDialog, Select } from './inputs.tsx'
import { LAST, type Last, type Range } from './range.ts'

interface RangeSelectProps {
  range: Range
  /** Absent, there is always a range. */
  any?: string
  /** Sets all of the range: what is undefined leaves the address. */
  onChange(range: Record<keyof Range, string | undefined>): void
}

const NO_RANGE = { last: undefined, from: undefined, to: undefined }
const CUSTOM = 'custom'
const OTHER = 'other'

/** The range of time that a page is about; a custom one in the clock of the viewer. */
export function RangeSelect({ range: { last, from, to }, any, onChange }: RangeSelectProps) {
  const [isOpen, setOpen] = useState(false)
  const isCustom = from !== undefined || to !== undefined
  const options: { name: Last | typeof CUSTOM | typeof OTHER | ''; title: string }[] = [
    ...(any ? [{ name: '' as const, title: any }] : []),
    ...LAST,
    ...(isCustom ? [{ name: CUSTOM, title: titleOf(from, to) } as const] : []),
    { name: OTHER, title: 'Custom …' },
  ]
  return (
    <>
      <Select
        label="Time"
        value={isCustom ? CUSTOM : (last ?? '')}
        options={options}
        onChange={(name) => {
          if (name === '' || LAST.some((each) => each.name === name))
            onChange({ ...NO_RANGE, last: name || undefined })
          else if (name === OTHER) setOpen(true)
        }}
      />
      {isOpen && (
        <FormDialog
          title="Range of time"
          action="Apply"
          onClose={() => setOpen(false)}
          onSubmit={(form) => {
            setOpen(false)
            onChange({
              ...NO_RANGE,
              from: instantOf(form.get('from')),
              to: instantOf(form.get('to')),
            })
          }}
        >
          <label className="field">
            From
            <input name="from" type="datetime-local" defaultValue={localOf(from)} required />
          </label>
          <label className="field">
            To, or empty for now
            <input name="to" type="datetime-local" defaultValue={localOf(to)} />
          </label>
        </FormDialog>
      )}
    </>
  )
}

const titleOf = (from: string | undefined, to: string | undefined): string =>
  `${from ? exactTime(from) : 'the beginning'} to ${to ? exactTime(to) : 'now'}`

const instantOf = (local: FormDataEntryValue | null): string | undefined =>
  local ? new Date(String(local)).toISOString() : undefined

/** An instant as the field wants it: the clock of the viewer, to the minute. */
function localOf(iso: string | undefined): string | undefined {
  if (iso === undefined) return undefined
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
