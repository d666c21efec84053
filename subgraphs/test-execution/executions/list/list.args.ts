import { ArgsType, Field, ID, InputType, Int } from 'type-graphql'
import { badInput } from '../../../../formats/errors.ts'
import { PageArgs } from '../../../../platform/paging/page.args.ts'
import { MAX_PAGE_SIZE } from '../../../../platform/paging/page.ts'
import { SortInput } from '../../../../platform/paging/sort.args.ts'
import type { ExecutionStateName, ExecutionTypeName, StartedByName } from '../execution.ts'
import { ExecutionState, ExecutionType, StartedBy } from '../execution.type.ts'

@InputType({ description: 'A label that executions must have.' })
export class ExecutionLabelFilter {
  @Field(() => String, { description: 'Its name.' })
  name!: string

  @Field(() => String, {
    nullable: true,
    description: 'Its value, with `*` for any text; any value if absent.',
  })
  value?: string | null

  @Field(() => [String], {
    nullable: 'itemsAndList',
    description:
      'One of these values, in place of `value`; null stands for executions without the label.',
  })
  values?: (string | null)[] | null
}

@InputType({
  description:
    'Selects executions. An absent condition matches all. In texts `*` is any text and `\\*` a star; a list means any of.',
})
export class ExecutionResultFilter {
  @Field(() => [ID], { nullable: true, description: 'Those with one of these ids.' })
  ids?: string[] | null

  @Field(() => ID, { nullable: true, description: 'Those of this scenario or suite.' })
  contextId?: string | null

  @Field(() => [ID], { nullable: true, description: 'Those of these scenarios and suites.' })
  contextIds?: string[] | null

  @Field(() => ExecutionType, { nullable: true, description: 'Those of this type.' })
  type?: ExecutionTypeName | null

  @Field(() => [ExecutionState], { nullable: true, description: 'Those in one of these states.' })
  states?: ExecutionStateName[] | null

  @Field(() => [String], {
    nullable: 'itemsAndList',
    description:
      'Those that ended with one of these error codes, such as CANCELLED; null stands for executions without one.',
  })
  errorCodes?: (string | null)[] | null

  @Field(() => [String], {
    nullable: 'itemsAndList',
    description: 'Those with one of these messages; null stands for executions without one.',
  })
  messages?: (string | null)[] | null

  @Field(() => [ID], {
    nullable: true,
    description: 'Those that failed by one of these causes: each its `causeId` or `id`.',
  })
  causes?: string[] | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only those that collect line coverage, or only all others.',
  })
  useCodeCoverage?: boolean | null

  @Field(() => [ExecutionLabelFilter], {
    nullable: true,
    description: 'Those that have all of these labels.',
  })
  labels?: ExecutionLabelFilter[] | null

  @Field(() => [ID], {
    nullable: 'itemsAndList',
    description: 'Those in one of these environments; null stands for executions in none.',
  })
  environments?: (string | null)[] | null

  @Field(() => [ID], {
    nullable: true,
    description:
      'Those that ran one of these components; of a suite, the executions of its scenarios.',
  })
  components?: string[] | null

  @Field(() => [String], {
    nullable: true,
    description: 'Those of a scenario that had one of these tags when it was executed.',
  })
  tags?: string[] | null

  @Field(() => [String], { nullable: true, description: 'Those of one of these users.' })
  executedBy?: string[] | null

  @Field(() => [StartedBy], {
    nullable: true,
    description:
      'Those of one of these origins. Without it and without `ids`: all but EDITOR, the tries of drafts.',
  })
  startedBy?: StartedByName[] | null

  @Field(() => [String], {
    nullable: true,
    description: 'Those whose scenario or suite has one of these names.',
  })
  names?: string[] | null

  @Field(() => String, {
    nullable: true,
    description: 'Those with this text in the name of their scenario or suite, in any case.',
  })
  text?: string | null

  @Field(() => Date, { nullable: true, description: 'Those accepted then or later.' })
  startedFrom?: Date | null

  @Field(() => Date, { nullable: true, description: 'Those accepted before.' })
  startedBefore?: Date | null

  @Field(() => Date, { nullable: true, description: 'Those that ended then or later.' })
  endedFrom?: Date | null

  @Field(() => Date, { nullable: true, description: 'Those that ended before.' })
  endedBefore?: Date | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only those that belong to the execution of a suite, or only all others.',
  })
  isMember?: boolean | null
}

@ArgsType()
export class ExecutionListArgs extends PageArgs {
  @Field(() => ExecutionResultFilter, {
    nullable: true,
    description: 'Which of them; all if absent.',
  })
  filter?: ExecutionResultFilter | null

  @Field(() => [SortInput], {
    nullable: true,
    description:
      'The keys of the order: id, name, contextId, type, state, started, ended, durationMs, executedBy, environment. Newest first if absent. Pages of a sorted list have an `offset`, no cursor.',
  })
  sort?: SortInput[] | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of items to skip, for numbered pages. Prefer `after`, which inserts cannot shift.',
  })
  offset?: number | null
}

/** @returns null for a page behind a cursor @throws AppError BAD_USER_INPUT */
export function numberedPageOf({
  sort,
  offset,
  ...page
}: ExecutionListArgs): { limit: number; offset: number } | null {
  if (offset == null && (sort ?? []).length === 0) return null
  if (page.after != null || page.before != null || page.last != null)
    throw badInput('Pages of a list with sort or offset have no cursor: give first and offset')
  const limit = page.first ?? DEFAULT_NUMBERED_PAGE
  if (limit < 1 || limit > MAX_PAGE_SIZE)
    throw badInput(`first: expected 1 to ${MAX_PAGE_SIZE}, not ${limit}`)
  if (offset != null && offset < 0) throw badInput(`offset: expected 0 or more, not ${offset}`)
  return { limit, offset: offset ?? 0 }
}

const DEFAULT_NUMBERED_PAGE = 50
