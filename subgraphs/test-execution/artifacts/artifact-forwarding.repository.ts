import type { EntityManager } from '@mikro-orm/postgresql'
import { runSql } from '../../../platform/database/sql.ts'
import { ARTIFACT_STORED, type ArtifactStored } from '../../../platform/jobs/artifact-stored.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { ArtifactKind } from './artifact.kind.ts'
import type { Sealable } from './artifact.row.ts'

/** Sends changed artifacts to the subgraph that goes by them, in the transaction of the change. */
export class ArtifactForwarding {
  constructor(private readonly jobs: Pick<Jobs, 'enqueue'>) {}

  /** @param after null once it is deleted; its row is locked */
  async forward(
    em: EntityManager,
    kind: ArtifactKind,
    id: string,
    after: Sealable | null,
  ): Promise<void> {
    if (!kind.isForwarded) return
    const [row] = await runSql<{ at: string }>(em, NOW)
    const { sealed = {}, artifact } = after ?? {}
    const { id: _, description: __, revision: ___, created: ____, ...fields } = artifact ?? {}
    await this.jobs.enqueue(em, ARTIFACT_STORED.name, {
      ...{ kind: kind.name, id, at: row?.at ?? '0', sealed },
      fields: artifact ? fields : null,
    } satisfies ArtifactStored)
  }
}

const NOW = `select (extract(epoch from clock_timestamp()) * 1000000)::bigint::text as at`
