import { batched } from '../../shared/batched.ts'
import { type Connection, type PageArgs, readPage } from '../../shared/paging/page.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import { type EventRepository, isEventKey } from './event.repository.ts'
import {
  causedByContext,
  type ExecutionEventRepository,
  type ExecutionLink,
} from './execution-event.repository.ts'
import type { Condition } from './language/condition.ts'

/** Reads events one by one, by page, and by what caused them. */
export class EventService {
  readonly #events: EventRepository
  readonly #links: ExecutionEventRepository

  constructor(events: EventRepository, links: ExecutionEventRepository) {
    this.#events = events
    this.#links = links
  }

  readonly find = batched(async (ids: string[]) => {
    const events = await this.#events.findByIds(ids)
    return new Map(events.map((event) => [event.id, event]))
  })

  readonly #linksOf = batched(async (executionIds: string[]) =>
    Map.groupBy(await this.#links.findByExecutions(executionIds), (link) => link.executionId),
  )

  /** @throws AppError BAD_USER_INPUT for a page that cannot be */
  findPage(
    page: PageArgs,
    conditions: readonly Condition[] = [],
  ): Promise<Connection<StoredEvent>> {
    return this.#events.findPage(readPage(page, isEventKey), conditions)
  }

  findPageOfContext(contextId: string, page: PageArgs): Promise<Connection<StoredEvent>> {
    return this.findPage(page, [causedByContext(contextId)])
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
