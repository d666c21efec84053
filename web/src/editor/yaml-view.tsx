import { stringify } from 'yaml'

/** A value as YAML. */
export default function YamlView({ value }: { value: unknown }) {
  return (
    <pre className="body code plain" tabIndex={0}>
      {stringify(value)}
    </pre>
  )
}
