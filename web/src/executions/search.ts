import type {
  ExecutionResultFilter,
  ExecutionState,
  ExecutionType,
  StartedBy,
} from '../graph/generated.ts'
import { literal } from '../graph/literal.ts'
import { type Range, rangeSearch, spanOf } from '../ui/range.ts'
import { type Sorted, sortSearch } from '../ui/sort.ts'

/** A state to filter by. An ERROR that is CANCELLED counts as both. */
export type Chosen = ExecutionState | typeof CANCELLED
const CANCELLED = 'CANCELLED'

/** The filters of the list, as the address has them. */
export interface ExecutionSearch extends Range, Sorted {
  state?: Chosen[]
  type?: ExecutionType
  context?: string
  /** In the name of the scenario or suite. */
  text?: string
  environment?: string
  /** Tag of the scenario. */
  tag?: string
  /** Id of one that ran. */
  component?: string
  user?: string
  /** `build=42`, or `build` for any value. */
  label?: string
  /** Without one, all but tries of the editor. */
  origin?: StartedBy
  /** With the scenarios that ran as part of a suite. */
  members?: true
}

/** Origins of executions, as the page names them. */
export const ORIGINS: Readonly<Record<StartedBy, string>> = {
  USER: 'User',
  FILES: 'Files',
  SCHEDULE: 'Schedule',
  TRIGGER: 'Trigger',
  AGAIN: 'Run again',
  IMPORT: 'Import',
  COMPONENT: 'Component',
  EDITOR: 'Draft in the editor',
}
const isOrigin = (value: unknown): value is StartedBy =>
  typeof value === 'string' && Object.hasOwn(ORIGINS, value)

const TEXTS = ['context', 'text', 'environment', 'tag', 'component', 'user', 'label'] as const

export const STATES: readonly Chosen[] = ['RUNNING', 'COMPLETED', 'FAILED', 'ERROR', CANCELLED]

const isState = (value: unknown): value is Chosen => STATES.some((state) => state === value)

/** Addresses come from anywhere: what is unknown in them is left out. */
export function executionSearch(given: Record<string, unknown>): ExecutionSearch {
  const states = [given.state].flat().filter(isState)
  return {
    ...(states.length > 0 && { state: states }),
    ...((given.type === 'SUITE' || given.type === 'TEST') && { type: given.type }),
    ...rangeSearch(given),
    ...sortSearch(given),
    ...(isOrigin(given.origin) && { origin: given.origin }),
    ...(given.members === true && { members: true }),
    ...Object.fromEntries(
      TEXTS.flatMap((name) => {
        const value = given[name]
        return typeof value === 'string' && value !== '' ? [[name, value]] : []
      }),
    ),
  }
}

/**
 * Variables of the query. Filters by what only scenarios have include those that ran as part of a suite.
 * @param now when the page was opened, which ranges count from
 */
export function filterOf(search: ExecutionSearch, now: number): ExecutionResultFilter {
  const { state, type, context, text, environment, user, label, members, origin } = search
  const { tag, component } = search
  const { from, to } = spanOf(search, now)
  const [name = '', value] = label?.split(/=(.*)/s) ?? []
  return {
    states: state?.map((each) => (each === CANCELLED ? 'ERROR' : each)) ?? null,
    // Other states than ERROR have no code.
    errorCodes: state?.includes(CANCELLED) && !state.includes('ERROR') ? [null, CANCELLED] : null,
    type: type ?? null,
    contextId: context ?? null,
    text: text ?? null,
    environments: environment ? [environment] : null,
    executedBy: user ? [user] : null,
    labels: label ? [{ name, value: value || null }] : null,
    startedBy: origin ? [origin] : null,
    tags: tag ? [literal(tag)] : null,
    components: component ? [literal(component)] : null,
    isMember: members || context || tag || component ? null : false,
    startedFrom: from,
    startedBefore: to,
  }
}

/** True if the address leaves out executions. Its order leaves out none. */
export const isFiltered = (search: ExecutionSearch): boolean =>
  Object.keys(search).some((name) => name !== 'sort')

/** True if an execution is in one of the states of the filter, if it has any. */
export const isInState = (
  { state }: Pick<ExecutionSearch, 'state'>,
  of: Pick<Stated, 'errorCode'> & { state: ExecutionState },
): boolean =>
  !state || state.includes(of.state) || (of.errorCode === CANCELLED && state.includes(CANCELLED))

interface Stated {
  state: string
  errorCode: string | null
  progress?: { queuePosition: number | null }
}

/** A running execution that waits for a worker looks different from one at work, and a cancelled one from an ERROR. */
export function stateOf({ state, errorCode, progress }: Stated): string {
  if (errorCode === CANCELLED) return errorCode
  return state === 'RUNNING' && progress && progress.queuePosition !== null ? 'WAITING' : state
}
