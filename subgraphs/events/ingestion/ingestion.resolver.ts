import { hash } from 'node:crypto'
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../../platform/access/caller.ts'
import { readIdempotencyKey } from '../../platform/request/idempotency-key.ts'
import { successOf } from './batch.ts'
import type { IngestionService } from './ingestion.service.ts'
import { IngestEventsInput, IngestionResult } from './ingestion.type.ts'

@Resolver()
export class IngestionResolver {
  readonly #ingestion: IngestionService

  constructor(ingestion: IngestionService) {
    this.#ingestion = ingestion
  }

  @Mutation(() => IngestionResult, {
    description:
      'Stores events and counts repetitions into the event with the same fingerprint. Answers once everything accepted is on disk; fails with OVERLOADED before anything is stored.',
  })
  async ingestEvents(
    @Arg('input', () => IngestEventsInput, { description: 'The events.' }) input: IngestEventsInput,
    @Ctx() { caller }: Context,
  ): Promise<IngestionResult> {
    const answer = await this.#ingestion.ingest({
      items: input.events,
      idempotency: readIdempotencyKey(
        input.idempotencyKey,
        caller.user,
        () => input.idempotencyDigest ?? hash('sha256', JSON.stringify(input.events), 'base64url'),
      ),
    })
    return { ...answer, sent: answer.accepted.length, success: successOf(answer) }
  }
}
