/** Description of a setting. */
export interface Setting {
  /** JSON Schema of its value. Its default stands here and nowhere else. A fault has words for each other keyword. */
  schema: {
    type: 'string' | 'boolean' | 'integer' | 'number'
    default?: string | boolean | number
    enum?: readonly string[]
    format?: string
    minimum?: number
    maximum?: number
    minLength?: number
    maxLength?: number
  }
  /** Meaning, in Markdown, for `--help` and docs/reference/settings.md. */
  meaning: string
  /** Meaning of its absence, where there is no constant default. */
  absent?: string
  /** Its value is secret: a file may hold it, named by the variable with `_FILE` behind its name. */
  isSecret?: true
}

export type Settings = Readonly<Record<string, Setting>>

/** The default; undefined where a setting has none. */
export const standardOf = ({ schema }: Setting): unknown => schema.default

/** The default as text; `none` where a setting has none. */
export const defaultOf = ({ schema, absent }: Setting): string =>
  absent ?? ('default' in schema ? `\`${schema.default}\`` : 'none')

/** The variable that names a file with the value of a secret setting. */
export const fileVariableOf = (name: string): string => `${name}_FILE`
