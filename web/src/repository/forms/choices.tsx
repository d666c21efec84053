import { Check } from '../../ui/inputs.tsx'
import { type Fault, faultsAt } from './faults.ts'
import { Faults } from './field.tsx'

interface ChoicesProps<Name extends string> {
  label: string
  /** The attribute that it is for. */
  place: string
  faults: readonly Fault[]
  options: readonly { name: Name; title: string }[]
  chosen: readonly Name[]
  onChange(chosen: readonly Name[]): void
}

/** Any of a few words, in the order of the options. */
export const Choices = <Name extends string>({
  label,
  place,
  faults,
  options,
  chosen,
  onChange,
}: ChoicesProps<Name>) => (
  <fieldset className="stack tight field">
    <legend>{label}</legend>
    {options.map(({ name, title }) => (
      <Check
        key={name}
        label={title}
        isOn={chosen.includes(name)}
        onChange={(isOn) =>
          onChange(
            options
              .map((each) => each.name)
              .filter((each) => (each === name ? isOn : chosen.includes(each))),
          )
        }
      />
    ))}
    <Faults faults={faultsAt(faults, place)} />
  </fieldset>
)
