import { defineEntity, p } from '@mikro-orm/core'
import type { ArtifactKindName } from './artifact.kind.ts'

/** One row for each stored artifact of whatever kind; what only its kind has stands in `fields`. */
export const ArtifactEntity = defineEntity({
  name: 'Artifact',
  tableName: 'artifact',
  properties: {
    /** Kinds that one address can name (a scenario or a suite to execute) share an id space. */
    idSpace: p.string().primary(),
    id: p.string().primary(),
    kind: p.string().$type<ArtifactKindName>(),
    name: p.text(),
    description: p.text().nullable(),
    revision: p.integer(),
    created: p.datetime(3),
    updated: p.datetime(3),
    fields: p.json<Record<string, unknown>>(),
  },
  uniques: [{ name: 'artifact_kind_name_unique', properties: ['kind', 'name'] }],
})
