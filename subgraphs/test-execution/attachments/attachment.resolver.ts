import { Arg, ID, Query, Resolver } from 'type-graphql'
import type { ReadBudget } from '../../../platform/paging/read-budget.ts'
import { UUID } from '../executions/execution.rows.ts'
import type { AttachmentRepository } from './attachment.repository.ts'
import { AttachmentContent } from './attachment.type.ts'

@Resolver()
export class AttachmentResolver {
  constructor(
    private readonly attachments: Pick<AttachmentRepository, 'find'>,
    private readonly budget: ReadBudget,
  ) {}

  @Query(() => AttachmentContent, {
    nullable: true,
    description: 'A file of an execution; null where there is none, and once it was deleted.',
  })
  attachment(@Arg('id', () => ID) id: string): Promise<AttachmentContent | null> | null {
    if (!UUID.test(id)) return null
    return this.budget.inTurn(async () => {
      const found = await this.attachments.find(id)
      const base64 = found?.content.toString('base64') ?? ''
      return { value: found && { ...found, base64 }, bytes: base64.length }
    })
  }
}
