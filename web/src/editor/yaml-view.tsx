import { yamlOf } from './yaml-text.ts'

/** A value as YAML. */
export default function YamlView({ value }: { value: unknown }) {
  return (
    <pre className="body code plain" tabIndex={0}>
      {yamlOf(value)}
    </pre>
  )
}
