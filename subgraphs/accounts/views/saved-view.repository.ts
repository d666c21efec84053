import { type EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql'
import { AppError } from '../../../formats/errors.ts'
import { inTransaction } from '../../../platform/database/sql.ts'
import { readCounted } from '../../../platform/paging/counted-page.repository.ts'
import { type Connection, cursorOf, type Page } from '../../../platform/paging/page.ts'
import { isUuid } from '../sessions/browser-session.repository.ts'
import { type SavedView, SavedViewEntity } from './saved-view.entity.ts'

/** Maximum number of saved views of one user. */
export const SAVED_VIEWS_MAX = 200

/** Attributes of a view that its owner gives. */
export type ViewContent = Pick<SavedView, 'name' | 'address' | 'isShared' | 'isStartPage'>

/** Storage of saved views. One view of an owner at most is the start page. */
export class SavedViewRepository {
  constructor(private readonly em: EntityManager) {}

  /** Those of an owner and those that are shared, the oldest first. */
  page(page: Page, owner: string): Promise<Connection<SavedView>> {
    const [from] = page.from ?? []
    const behind = from ? { id: page.isBackward ? { $lt: from } : { $gt: from } } : {}
    const isVisible = { $or: [{ owner }, { isShared: true }] }
    return readCounted(this.em, page, async (em) => ({
      rows: await em.find(
        SavedViewEntity,
        { ...behind, ...isVisible },
        { orderBy: { id: page.isBackward ? 'desc' : 'asc' }, limit: page.limit + 1 },
      ),
      cursorOf: ({ id }) => cursorOf(id),
      count: () => em.count(SavedViewEntity, isVisible),
    }))
  }

  async find(id: string): Promise<SavedView | null> {
    return isUuid(id) ? this.em.fork().findOne(SavedViewEntity, { id }) : null
  }

  /** @throws AppError CONFLICT for a name that the owner has given already, or beyond SAVED_VIEWS_MAX */
  insert(view: SavedView): Promise<void> {
    return this.#write(view, async (em) => {
      if ((await em.count(SavedViewEntity, { owner: view.owner })) >= SAVED_VIEWS_MAX)
        throw new AppError(
          'CONFLICT',
          `You have ${SAVED_VIEWS_MAX} saved views already, the most that one user may have: delete one that is not needed`,
        )
      await em.insert(SavedViewEntity, view)
    })
  }

  /** @returns false where it is deleted meanwhile @throws AppError CONFLICT for a name that the owner has given already */
  change(view: SavedView): Promise<boolean> {
    const { id, ...columns } = view
    return this.#write(
      view,
      async (em) => (await em.nativeUpdate(SavedViewEntity, { id }, columns)) > 0,
    )
  }

  async delete(id: string): Promise<boolean> {
    return (await inTransaction(this.em, (em) => em.nativeDelete(SavedViewEntity, { id }))) > 0
  }

  async #write<Result>(
    { id, owner, name, isStartPage }: SavedView,
    write: (em: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await inTransaction(this.em, async (em) => {
        if (isStartPage)
          await em.nativeUpdate(
            SavedViewEntity,
            { owner, id: { $ne: id }, isStartPage: true },
            { isStartPage: false },
          )
        return write(em)
      })
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error
      throw new AppError(
        'CONFLICT',
        `name: you have a view ${JSON.stringify(name)} already, or made another one your start page just now`,
      )
    }
  }
}

export const isViewKey = ([id = '', ...rest]: readonly string[]): boolean =>
  isUuid(id) && rest.length === 0
