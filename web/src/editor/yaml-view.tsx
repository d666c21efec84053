import { yamlOf } from './yaml-text.ts'

/** A value as YAML. @param text the same as its author wrote it, if that is known */
export default function YamlView({ value, text }: { value: unknown; text?: string | null }) {
  return (
    <pre className="body code plain" tabIndex={0}>
      {text ?? yamlOf(value)}
    </pre>
  )
}
