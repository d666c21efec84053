import { Check } from '../ui/inputs.tsx'

interface ChoicesProps<Name extends string> {
  label: string
  options: readonly { name: Name; title: string }[]
  chosen: readonly Name[]
  onChange(chosen: readonly Name[]): void
}

/** Any of a few words, in the order of the options. */
export const Choices = <Name extends string>({
  label,
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
  </fieldset>
)
