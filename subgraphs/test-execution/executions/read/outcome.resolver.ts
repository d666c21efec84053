import { GraphQLJSONObject } from 'graphql-scalars'
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../../platform/access/caller.ts'
import { Attachment } from '../../attachments/attachment.type.ts'
import { CodeCoverage, StepCall, StepExchange, StepResult } from './outcome.type.ts'

@Resolver(() => CodeCoverage)
export class CodeCoverageResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Source of the component as it was executed; null for callers without `artifacts:read`.',
  })
  sourceCode(@Root() { sourceCode }: CodeCoverage, @Ctx() { caller }: Context): string | null {
    return caller.permissions.includes('artifacts:read') ? sourceCode : null
  }
}

/** Results that were started without a sign-in are readable by their id, but not what their systems answered. */
@Resolver(() => StepResult)
export class StepResultResolver {
  @FieldResolver(() => Boolean, {
    description:
      'Whether it is `optional`, so that its failure changes nothing else; false until it ends, and where a cancel cut it off.',
  })
  isOptional(@Root() { isOptional = false }: StepResult): boolean {
    return isOptional
  }

  @FieldResolver(() => StepExchange, {
    nullable: true,
    description:
      'The last request and its response, of an http or graphql step; null for callers without `executions:read`.',
  })
  exchange(@Root() { exchange }: StepResult, @Ctx() { caller }: Context): StepExchange | null {
    return caller.permissions.includes('executions:read') ? (exchange ?? null) : null
  }

  @FieldResolver(() => StepCall, {
    nullable: true,
    description: 'The call of a call step; null for callers without `executions:read`.',
  })
  call(@Root() { call }: StepResult, @Ctx() { caller }: Context): StepCall | null {
    return caller.permissions.includes('executions:read') ? (call ?? null) : null
  }

  @FieldResolver(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'What it captured, with secrets masked; null where it is nothing or too long, and for callers without `executions:read`.',
  })
  captures(@Root() { captures }: StepResult, @Ctx() { caller }: Context) {
    return caller.permissions.includes('executions:read') ? (captures ?? null) : null
  }

  @FieldResolver(() => [Attachment], {
    description: 'Files that it left; none for callers without `executions:read`.',
  })
  attachments(@Root() { attachments = [] }: StepResult, @Ctx() { caller }: Context) {
    return caller.permissions.includes('executions:read') ? attachments : []
  }
}
