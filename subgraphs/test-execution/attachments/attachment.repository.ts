import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { inTransaction } from '../../../platform/database/sql.ts'
import type { Attachment, AttachmentFile, AttachmentUse } from '../../../runner/run/attachment.ts'

export interface StoredAttachment extends Attachment {
  executionId: string
  content: Buffer
}

/** Storage of the files of executions, each content once. */
export class AttachmentRepository {
  constructor(private readonly em: EntityManager) {}

  /** Keeps a file of a run. @returns null when the execution is no longer this attempt's */
  keep(executionId: string, attempt: number, file: AttachmentFile): Promise<Attachment | null> {
    return inTransaction(this.em, async (em) => {
      const { rows } = await sql`
        select from test_execution.execution
        where id = ${executionId} and attempt = ${attempt} and state = 'RUNNING'
        for key share`.execute(em.getKysely())
      return rows.length === 0 ? null : insertAttachment(em, executionId, file)
    })
  }

  /** Use of all tries and attempts. */
  async used(executionId: string): Promise<AttachmentUse> {
    const { rows } = await sql<AttachmentUse>`
      select count(*)::integer as files, coalesce(sum(size), 0)::float8 as bytes
      from test_execution.attachment where execution_id = ${executionId}`.execute(
      this.em.fork().getKysely(),
    )
    return rows[0] ?? { files: 0, bytes: 0 }
  }

  async find(id: string): Promise<StoredAttachment | null> {
    const { rows } = await sql<StoredAttachment>`
      select id, name, content_type as "contentType", size, sha256,
        execution_id as "executionId", content
      from test_execution.attachment join test_execution.attachment_content using (sha256)
      where id = ${id}::uuid`.execute(this.em.fork().getKysely())
    return rows[0] ?? null
  }
}

/** Inside of the transaction of `em`. */
export async function insertAttachment(
  em: EntityManager,
  executionId: string,
  { name, contentType, content }: AttachmentFile,
): Promise<Attachment> {
  const id = uuidv7()
  const sha256 = createHash('sha256').update(content).digest('hex')
  // The update locks a content that is there: no deletion may take it for unused.
  await sql`
    insert into test_execution.attachment_content (sha256, content) values (${sha256}, ${content})
    on conflict (sha256) do update set sha256 = excluded.sha256`.execute(em.getKysely())
  await sql`
    insert into test_execution.attachment (id, execution_id, name, content_type, size, sha256)
    values (${id}, ${executionId}, ${name}, ${contentType}, ${content.length}, ${sha256})`.execute(
    em.getKysely(),
  )
  return { id, name, contentType, size: content.length, sha256 }
}

/** Deletes the files of executions, and contents that no other file has. */
export async function deleteAttachments(
  em: EntityManager,
  executionIds: readonly string[],
): Promise<void> {
  const kysely = em.getKysely()
  const { rows } = await sql<{ sha256: string }>`
    delete from test_execution.attachment where execution_id = any(${executionIds}::uuid[])
    returning sha256`.execute(kysely)
  const contents = [...new Set(rows.map(({ sha256 }) => sha256))].sort()
  if (contents.length === 0) return
  // Locked first: only the next statement sees who has taken one meanwhile.
  await sql`
    select from test_execution.attachment_content where sha256 = any(${contents})
    order by sha256 for update`.execute(kysely)
  await sql`
    delete from test_execution.attachment_content as content where sha256 = any(${contents})
      and not exists (select from test_execution.attachment where sha256 = content.sha256)`.execute(
    kysely,
  )
}
