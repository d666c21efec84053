import { AppError } from '../../../../schema/errors.ts'
import type { Artifact, ArtifactKind } from '../artifact.kind.ts'
import type { ArtifactListRepository, Selection } from './artifact-list.repository.ts'
import { cursorOf, readCursor } from './cursor.ts'
import { readFilter } from './filter.ts'
import { readSort, type SortRequest } from './sort.ts'

/** What a client asks of a list. */
export interface ListRequest {
  filter?: Record<string, unknown> | null
  sort?: readonly SortRequest[] | null
  first?: number | null
  after?: string | null
  offset?: number | null
}

/** A page of a list: its items and the length of the list are read when they are asked for. */
export interface ArtifactPage {
  items(): Promise<PageItems>
  count(): Promise<number>
}

export interface PageItems {
  edges: { cursor: string; node: Artifact }[]
  hasNextPage: boolean
  hasPreviousPage: boolean
}

export const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 1_000

/** Filtered, sorted and paged lists, the same for every kind. */
export class ArtifactListService {
  constructor(private readonly repository: ArtifactListRepository) {}

  /**
   * @param owner narrows the list to what has this value, such as the scenarios of a component
   * @throws AppError BAD_USER_INPUT for an unknown attribute, a value of a wrong type, a cursor of another list, or a
   *   page of less than 1 or more than 1 000 items
   */
  page(kind: ArtifactKind, request: ListRequest, owner: Record<string, string> = {}): ArtifactPage {
    const { first, after, offset } = request
    const limit = first ?? DEFAULT_PAGE_SIZE
    if (limit < 1 || limit > MAX_PAGE_SIZE)
      throw badInput(`first: expected 1 to ${MAX_PAGE_SIZE}, not ${limit}`)
    if (offset != null && offset < 0) throw badInput(`offset: expected 0 or more, not ${offset}`)
    const conditions = [readFilter(kind, owner), readFilter(kind, request.filter ?? {})].flat()
    const selection: Selection = { kind, conditions, order: readSort(kind, request.sort ?? []) }
    const behind = after == null ? null : readCursor(selection.order, after)
    const read = async (): Promise<PageItems> => {
      const range = { behind, offset: offset ?? 0, limit: limit + 1 }
      const found = await this.repository.list(selection, range)
      return {
        edges: found
          .slice(0, limit)
          .map((node) => ({ cursor: cursorOf(selection.order, node), node })),
        hasNextPage: found.length > limit,
        hasPreviousPage: behind !== null || range.offset > 0,
      }
    }
    let items: Promise<PageItems> | undefined
    return {
      items: () => (items ??= read()),
      count: () => this.repository.count(selection),
    }
  }
}

const badInput = (message: string) => new AppError('BAD_USER_INPUT', message)
