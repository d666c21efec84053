import { Ajv } from 'ajv'

/** A table that holds rows: a plain one, or a partition. */
export interface Table {
  schema: string
  name: string
  /** The stored columns, without generated ones. */
  columns: string[]
  /** The table of the same schema that it is a partition of, and for which keys. */
  partition?: { of: string; bound: string }
}

/** A table as it lies in a backup: its rows as COPY writes them in its text format. */
export interface StoredTable extends Table {
  rows: number
  bytes: number
  sha256: string
}

export interface Sequence {
  schema: string
  name: string
  value: string
  isCalled: boolean
}

/** The end of a backup: how to make the tables again, and what they must hold. */
export interface Manifest {
  format: number
  assay: string
  /** The commit of the build that wrote it, for people. */
  revision?: string
  postgres: string
  createdAt: string
  /** Version of the schema of pg-boss; null where it has none. */
  jobs: number | null
  /** Migrations that have run, by schema, in order. */
  migrations: Record<string, string[]>
  /** In the order of their foreign keys. */
  tables: StoredTable[]
  sequences: Sequence[]
  /** A known text, sealed with the key of the secrets; null where the backup had no key. */
  sealed: string | null
}

/** Changes with every change of the file that an older restore cannot read. */
export const FORMAT = 1

/** Bounds of partitions that a restore may write into statements. */
const BOUND =
  "^(DEFAULT|FOR VALUES (FROM \\('[^'\\\\]*'\\) TO \\('[^'\\\\]*'\\)|IN \\('[^'\\\\]*'(, '[^'\\\\]*')*\\)))$"

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }
const texts = { type: 'array', items: text }

const OPTIONAL: readonly string[] = ['partition', 'revision']

const object = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !OPTIONAL.includes(name)),
})

const isManifest = new Ajv().compile<Manifest>(
  object({
    format: count,
    assay: text,
    revision: text,
    postgres: text,
    createdAt: text,
    jobs: { type: 'integer', nullable: true },
    migrations: { type: 'object', additionalProperties: texts },
    tables: {
      type: 'array',
      items: object({
        schema: text,
        name: text,
        columns: { ...texts, minItems: 1 },
        partition: object({ of: text, bound: { type: 'string', pattern: BOUND } }),
        rows: count,
        bytes: count,
        sha256: text,
      }),
    },
    sequences: {
      type: 'array',
      items: object({
        schema: text,
        name: text,
        value: { type: 'string', pattern: '^-?[0-9]+$' },
        isCalled: { type: 'boolean' },
      }),
    },
    sealed: { type: 'string', nullable: true },
  }),
)

/** @returns undefined where it is none */
export const toManifest = (value: unknown): Manifest | undefined =>
  isManifest(value) ? value : undefined

/** A table as messages and frames call it. */
export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `${schema}.${name}`
