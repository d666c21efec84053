import { badInput } from '../../../../formats/errors.ts'
import {
  type Connection,
  connect,
  type PageArgs,
  readRange,
} from '../../../../platform/paging/page.ts'
import type { Artifact, ArtifactKind } from '../artifact.kind.ts'
import type { ArtifactListRepository, Selection } from './artifact-list.repository.ts'
import { cursorOf, readCursor } from './cursor.ts'
import { readFilter } from './filter.ts'
import { readSort, reversed, type SortRequest } from './sort.ts'

/** Request of a client for a list. */
export interface ListRequest extends PageArgs {
  filter?: Record<string, unknown> | null
  sort?: readonly SortRequest[] | null
  offset?: number | null
}

/** A page of a list: its items and the length of the list are read when they are asked for. */
export interface ArtifactPage {
  items(): Promise<Connection<Artifact>>
  count(): Promise<number>
}

/** Filtered, sorted and paged lists, the same for every kind. */
export class ArtifactListService {
  constructor(private readonly repository: ArtifactListRepository) {}

  /**
   * @param isCounted whether the length is asked for as well as items: both are of one snapshot
   * @param owner narrows the list to what has these values, such as the scenarios of a component
   * @throws AppError BAD_USER_INPUT for an unknown attribute, a value of a wrong type, a cursor of another list, or a
   *   page of less than 1 or more than 1 000 items
   */
  page(
    kind: ArtifactKind,
    request: ListRequest,
    isCounted: boolean,
    owner: Record<string, unknown> = {},
  ): ArtifactPage {
    const { cursor, limit, isBackward } = readRange(request)
    const offset = request.offset ?? 0
    if (offset < 0) throw badInput(`offset: expected 0 or more, not ${offset}`)
    if (offset > 0 && isBackward)
      throw badInput('offset: goes with first and after, not with last and before')
    const conditions = [readFilter(kind, owner), readFilter(kind, request.filter ?? {})].flat()
    const sort = readSort(kind, request.sort ?? [])
    const order = isBackward ? reversed(sort) : sort
    const selection: Selection = { kind, conditions, order }
    const behind = cursor === null ? null : readCursor(order, cursor)
    let total: Promise<number> | undefined
    const count = async () => {
      await Promise.resolve() // items that are asked for beside it bring it
      total ??= this.repository.count(selection)
      return total
    }
    const read = async (): Promise<Connection<Artifact>> => {
      const range = { behind, offset, limit: limit + 1 }
      const listed = this.repository.list(selection, range, isCounted)
      if (isCounted) {
        total ??= listed.then((list) => list.total)
        total.catch(() => {}) // it may be of a list within this one that is counted
      }
      const { rows } = await listed
      const from = behind ?? (offset > 0 ? offset : null)
      const cursorOfRow = (artifact: Artifact) => cursorOf(order, artifact)
      return connect({ limit, isBackward, from }, { rows, cursorOf: cursorOfRow, count })
    }
    let items: Promise<Connection<Artifact>> | undefined
    return { items: () => (items ??= read()), count }
  }
}
