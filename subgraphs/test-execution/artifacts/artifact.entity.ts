import { defineEntity, p } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { SealedValues } from './artifact.kind.ts'

/** One row for each stored artifact of whatever kind; what only its kind has stands in `fields`. */
export const ArtifactEntity = defineEntity({
  name: 'Artifact',
  tableName: 'artifact',
  properties: {
    /** Kinds that one address can name (a scenario or a suite to execute) share an id space. */
    idSpace: p.string().primary(),
    id: p.string().primary(),
    kind: p.string(),
    name: p.text(),
    description: p.text().nullable(),
    revision: p.integer(),
    created: p.datetime(3),
    updated: p.datetime(3),
    /** The user who stored it last; null without a sign-in. */
    updatedBy: p.text().nullable(),
    fields: p.json<Record<string, unknown>>(),
    /** The set that it was last applied in; null for one that was stored alone. */
    setName: p.text().nullable(),
    /** Values of secrets. Read only to run something, never with the artifact. */
    sealed: p.json<SealedValues>().lazy().defaultRaw(`'{}'`),
  },
  indexes: [
    { name: 'artifact_kind_id_index', properties: ['kind', 'id'] },
    {
      name: 'artifact_set_name_index',
      expression:
        'create index "artifact_set_name_index" on "test_execution"."artifact" ("set_name") where set_name is not null',
    },
    {
      name: 'artifact_fields_index',
      expression:
        'create index "artifact_fields_index" on "test_execution"."artifact" using gin ("fields" jsonb_path_ops)',
    },
  ],
  uniques: [{ name: 'artifact_kind_name_unique', properties: ['kind', 'name'] }],
})

/** Its table, for statements written by hand. */
export const ARTIFACT_TABLE = sql.table('test_execution.artifact')
