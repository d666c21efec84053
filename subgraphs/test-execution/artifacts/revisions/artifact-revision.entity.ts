import { defineEntity, p } from '@mikro-orm/core'

/** An artifact as it was before a change. Values of secrets are not kept. */
export const ArtifactRevisionEntity = defineEntity({
  name: 'ArtifactRevision',
  tableName: 'artifact_revision',
  properties: {
    idSpace: p.string().primary(),
    id: p.string().primary(),
    revision: p.integer().primary(),
    name: p.text(),
    description: p.text().nullable(),
    updated: p.datetime(3),
    updatedBy: p.text().nullable(),
    fields: p.json<Record<string, unknown>>(),
  },
})
