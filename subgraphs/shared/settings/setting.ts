/** What is known of a setting. */
export interface Setting {
  /** JSON Schema of its value. Its default stands here and nowhere else. */
  schema: object
  /** What it does, in Markdown, for `--help` and docs/reference/settings.md. */
  meaning: string
  /** What holds without it, where that is no constant. */
  absent?: string
}

export type Settings = Readonly<Record<string, Setting>>

/** The default as text; `none` where a setting has none. */
export const defaultOf = ({ schema, absent }: Setting): string =>
  absent ?? ('default' in schema ? `\`${schema.default}\`` : 'none')
