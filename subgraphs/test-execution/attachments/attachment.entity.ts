import { defineEntity, p } from '@mikro-orm/core'

/** A file of an execution. Files with the same content share it. */
export const AttachmentEntity = defineEntity({
  name: 'Attachment',
  tableName: 'attachment',
  properties: {
    id: p.uuid().primary(),
    executionId: p.uuid(),
    name: p.text(),
    contentType: p.text(),
    size: p.integer(),
    sha256: p.text(),
  },
  indexes: [
    { name: 'attachment_execution_id_index', properties: ['executionId'] },
    { name: 'attachment_sha256_index', properties: ['sha256'] },
  ],
})

export const AttachmentContentEntity = defineEntity({
  name: 'AttachmentContent',
  tableName: 'attachment_content',
  properties: {
    sha256: p.text().primary(),
    content: p.blob(),
  },
})
