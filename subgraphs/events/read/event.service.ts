import { batched } from '../../../platform/async/turns.ts'
import type { Condition } from '../../../platform/event-query/condition.ts'
import {
  type Connection,
  type Page,
  type PageArgs,
  readPage,
} from '../../../platform/paging/page.ts'
import type { ReadBudget } from '../../../platform/paging/read-budget.ts'
import type { SortInput } from '../../../platform/paging/sort.args.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import {
  type EventRepository,
  type FoundEvent,
  type FoundPage,
  isEventKey,
} from './event.repository.ts'
import {
  causedByContext,
  type ExecutionEventRepository,
  type ExecutionLink,
} from './execution-event.repository.ts'
import { eventOrder } from './lists/event-order.ts'

/** Reads events one by one, by page, and by what caused them. */
export class EventService {
  readonly #loaders = new Map<string, (contextId: string) => Promise<FoundPage | undefined>>()

  constructor(
    private readonly events: EventRepository,
    private readonly links: ExecutionEventRepository,
    private readonly budget: Pick<ReadBudget, 'spend'>,
  ) {}

  /** @throws AppError OPERATION_LIMIT_EXCEEDED once the operation has read too much */
  readonly find = async (id: string): Promise<StoredEvent | undefined> => {
    for (;;) {
      this.budget.spend(0)
      const found = await this.#load(id)
      if (found === 'later') continue
      this.budget.spend(found?.bytes ?? 0)
      return found?.event
    }
  }

  /** Operations share a batch; what it has no room for is loaded by the next one, for those that may still read. */
  readonly #load = batched(async (ids: string[]) => {
    const { found, rest } = await this.events.findByIds(ids)
    const loaded = new Map<string, FoundEvent | 'later'>(rest.map((id) => [id, 'later']))
    for (const each of found) loaded.set(each.event.id, each)
    return loaded
  })

  readonly #linksOf = batched(async (executionIds: string[]) =>
    Map.groupBy(await this.links.findByExecutions(executionIds), (link) => link.executionId),
  )

  /** @throws AppError BAD_USER_INPUT for a page that cannot be, and for an attribute that nothing is sorted by */
  async findPage(
    args: PageArgs,
    conditions: readonly Condition[] = [],
    sort: SortInput | null = null,
  ): Promise<Connection<StoredEvent>> {
    if (!sort) return this.events.findPage(readPage(args, isEventKey), conditions)
    const order = eventOrder(sort)
    const page = readPage(args, order.isKey)
    const from = page.from && order.keyOf(page.from)
    return this.events.findPage({ ...page, from }, conditions, order)
  }

  /** @throws AppError BAD_USER_INPUT for a page that cannot be */
  async findPageOfContext(contextId: string, args: PageArgs): Promise<Connection<StoredEvent>> {
    const page = readPage(args, isEventKey)
    if (page.from === null) {
      this.budget.spend(0)
      const found = await this.#firstPages(page)(contextId)
      if (found) {
        this.budget.spend(found.bytes)
        return found.connection
      }
    }
    return this.events.findPage(page, [causedByContext(contextId)])
  }

  /** Operations that ask for pages of the same length share a batch. */
  #firstPages(page: Page): (contextId: string) => Promise<FoundPage | undefined> {
    const key = `${page.limit} ${page.isBackward}`
    const load =
      this.#loaders.get(key) ?? batched((ids) => this.events.findPagesOfContexts(page, ids))
    this.#loaders.set(key, load)
    return load
  }

  async findOfExecution(executionId: string): Promise<StoredEvent[]> {
    const links = (await this.#linksOf(executionId)) ?? []
    const events = await Promise.all(links.map(({ eventId }) => this.find(eventId)))
    return events.filter((event) => event !== undefined)
  }

  /** The scenario or suite whose latest execution caused the event. */
  async findLink({ id, executionId }: StoredEvent): Promise<ExecutionLink | undefined> {
    const links = executionId === null ? undefined : await this.#linksOf(executionId)
    return links?.find(({ eventId }) => eventId === id)
  }
}
