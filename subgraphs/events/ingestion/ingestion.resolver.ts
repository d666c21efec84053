import { hash } from 'node:crypto'
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import { AppError } from '../../../schema/errors.ts'
import type { Context } from '../../shared/caller.ts'
import { successOf } from './answer.ts'
import type { IdempotencyKey } from './batch.ts'
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
      idempotency: keyOf(input, caller.user),
    })
    return { ...answer, sent: answer.accepted.length, success: successOf(answer) }
  }
}

function keyOf(
  { idempotencyKey, idempotencyDigest, events }: IngestEventsInput,
  user: string | null,
): IdempotencyKey | null {
  if (idempotencyKey === undefined || idempotencyKey === null) return null
  if (!KEY.test(idempotencyKey))
    throw new AppError(
      'BAD_USER_INPUT',
      'An idempotency key is 1 to 255 printable ASCII characters',
    )
  const digest = idempotencyDigest ?? hash('sha256', JSON.stringify(events), 'base64url')
  return { account: user ?? '', key: idempotencyKey, digest }
}

const KEY = /^[\x20-\x7e]{1,255}$/
