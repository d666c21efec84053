import { badInput } from '../../../../formats/errors.ts'
import { MAX_FILTER_VALUES } from '../../artifacts/list/filter.ts'
import { wildcardTest } from '../../artifacts/list/wildcard.ts'
import { causeIdOf } from '../causes/cause-id.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionLabelFilter, ExecutionResultFilter } from './list.args.ts'

/** In texts `*` is any text and `\*` a star. */
export type ExecutionFilter = ExecutionResultFilter

/** Parts of an execution that filters read. */
export type Filtered = Pick<
  Execution,
  | 'id'
  | 'contextId'
  | 'contextName'
  | 'type'
  | 'state'
  | 'message'
  | 'errorCode'
  | 'useCodeCoverage'
  | 'labels'
  | 'environmentId'
  | 'executedBy'
  | 'startedBy'
  | 'started'
  | 'ended'
  | 'suiteId'
  | 'causeId'
  | 'revisions'
>

type Test = (execution: Filtered) => boolean

/**
 * Each value of a label is a condition, which takes the database long to plan beyond a few thousand, and a connection
 * ends where a statement has more than 65 535 parameters.
 * @throws AppError BAD_USER_INPUT for more values than a filter may have
 */
export function checkValues(filter: ExecutionFilter): void {
  const { ids, contextIds, environments, executedBy, names, states, labels } = filter
  const { errorCodes, messages, startedBy, causes, components, tags } = filter
  const ofLabels = labels?.map(({ values }) => values) ?? []
  const texts = [ids, contextIds, environments, executedBy, names, errorCodes, messages, causes]
  const lists = [...texts, components, tags, states, startedBy, labels, ...ofLabels]
  const count = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0)
  if (count > MAX_FILTER_VALUES)
    throw badInput(`filter: expected at most ${MAX_FILTER_VALUES} values in all, not ${count}`)
}

/** Tries of the editor are no results of what is stored: only those who ask for them, or name ids, find them. */
export const leavesOutTries = ({ startedBy, ids }: ExecutionFilter): boolean =>
  startedBy == null && ids == null

/** The same as the SQL of `whereOf`, for executions that were read. @throws AppError BAD_USER_INPUT likewise */
export function matcherOf(filter: ExecutionFilter): Test {
  checkValues(filter)
  const tests = [
    textTest(filter.contextId == null ? null : [filter.contextId], ({ contextId }) => contextId),
    textTest(filter.ids, ({ id }) => id),
    textTest(filter.contextIds, ({ contextId }) => contextId),
    textTest(filter.environments, ({ environmentId }) => environmentId),
    textTest(filter.executedBy, ({ executedBy }) => executedBy),
    textTest(filter.names, ({ contextName }) => contextName),
    textTest(filter.errorCodes, ({ errorCode }) => errorCode),
    textTest(filter.messages, ({ message }) => message),
    textTest(filter.causes?.map(causeIdOf), ({ causeId }) => causeId),
    anyTest(filter.components, ({ revisions }) =>
      revisions.flatMap(({ kind, id }) => (kind === 'component' ? [id] : [])),
    ),
    anyTest(filter.tags, ({ revisions }) => revisions.flatMap(({ tags = [] }) => tags)),
    ...(filter.labels ?? []).map((label) =>
      textTest(labelValues(label), ({ labels }) => labels[label.name] ?? null),
    ),
    timeTest(filter.startedFrom, filter.startedBefore, ({ started }) => started),
    timeTest(filter.endedFrom, filter.endedBefore, ({ ended }) => ended),
    given(filter.type, (type) => (execution) => execution.type === type),
    given(
      filter.states,
      (states) =>
        ({ state }) =>
          states.includes(state),
    ),
    given(
      filter.startedBy,
      (origins) =>
        ({ startedBy }) =>
          origins.includes(startedBy),
    ),
    leavesOutTries(filter) ? ({ startedBy }: Filtered) => startedBy !== 'EDITOR' : null,
    given(
      filter.useCodeCoverage,
      (isUsed) =>
        ({ useCodeCoverage }) =>
          useCodeCoverage === isUsed,
    ),
    given(
      filter.isMember,
      (isMember) =>
        ({ suiteId }) =>
          (suiteId !== null) === isMember,
    ),
    given(
      filter.text?.toLowerCase(),
      (text) =>
        ({ contextName }) =>
          contextName.toLowerCase().includes(text),
    ),
  ].filter((test) => test !== null)
  return (execution) => tests.every((test) => test(execution))
}

const given = <Value>(
  value: Value | null | undefined,
  test: (value: Value) => Test,
): Test | null => (value == null ? null : test(value))

/** Values of which one must be the label's; null stands for an absent label. */
export const labelValues = ({ value, values }: ExecutionLabelFilter): readonly (string | null)[] =>
  values ?? [value ?? '*']

/** Null is an absent value. */
const textTest = (
  texts: readonly (string | null)[] | null | undefined,
  of: (execution: Filtered) => string | null,
): Test | null =>
  given(texts, (all) => {
    const tests = all.filter((text) => text !== null).map(wildcardTest)
    return (execution) => {
      const text = of(execution)
      return text === null ? all.includes(null) : tests.some((holds) => holds(text))
    }
  })

/** One of several values. */
const anyTest = (
  texts: readonly string[] | null | undefined,
  of: (execution: Filtered) => readonly string[],
): Test | null =>
  given(texts, (all) => {
    const tests = all.map(wildcardTest)
    return (execution) => of(execution).some((value) => tests.some((holds) => holds(value)))
  })

const timeTest = (
  from: Date | null | undefined,
  before: Date | null | undefined,
  of: (execution: Filtered) => Date | null,
): Test | null =>
  from == null && before == null
    ? null
    : (execution) => {
        const time = of(execution)
        return time !== null && (from == null || time >= from) && (before == null || time < before)
      }
