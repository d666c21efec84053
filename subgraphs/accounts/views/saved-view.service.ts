import { v7 as uuidv7 } from 'uuid'
import { badInput, notFound } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import { checkText } from '../../../platform/database/database-text.ts'
import { type Connection, type PageArgs, readPage } from '../../../platform/paging/page.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { SavedView } from './saved-view.entity.ts'
import { isViewKey, type SavedViewRepository, type ViewContent } from './saved-view.repository.ts'

const NAME_MAX = 100
const ADDRESS_MAX = 4_000
/** Path and query of a page of the same origin. */
const ADDRESS = /^\/(?![/\\])[^\s#\\]*$/

/** A view as its reader sees it. */
export type SeenView = SavedView & { isOwn: boolean }

/** Keeps views of pages: users see their own and the shared ones, and change their own. Administrators change shared ones, too. */
export class SavedViewService {
  constructor(
    private readonly views: SavedViewRepository,
    private readonly now: () => Date = currentTime,
  ) {}

  /** @throws AppError BAD_USER_INPUT for a page that cannot be */
  async page(page: PageArgs, caller: Caller): Promise<Connection<SeenView>> {
    const owner = ownerOf(caller)
    const { nodes, edges, ...rest } = await this.views.page(readPage(page, isViewKey), owner)
    return {
      ...rest,
      nodes: nodes.map((view) => seen(view, owner)),
      edges: edges.map(({ cursor, node }) => ({ cursor, node: seen(node, owner) })),
    }
  }

  /** @throws AppError BAD_USER_INPUT, CONFLICT; FORBIDDEN for a shared view of a user who may not change artifacts */
  async create(content: ViewContent, caller: Caller): Promise<SeenView> {
    check(content, caller)
    const owner = ownerOf(caller)
    const view = { id: uuidv7(), owner, ...content, created: this.now() }
    await this.views.insert(view)
    return seen(view, owner)
  }

  /** @throws AppError NOT_FOUND, FORBIDDEN, BAD_USER_INPUT, CONFLICT */
  async change(
    id: string,
    changes: { [Key in keyof ViewContent]?: ViewContent[Key] | null },
    caller: Caller,
  ): Promise<SeenView> {
    const view = await this.#changeable(id, caller)
    const content = {
      name: changes.name ?? view.name,
      address: changes.address ?? view.address,
      isShared: changes.isShared ?? view.isShared,
      isStartPage: changes.isStartPage ?? view.isStartPage,
    }
    check(content, caller)
    const changed = { ...view, ...content }
    if (!(await this.views.change(changed))) throw notFound('view', id)
    return seen(changed, ownerOf(caller))
  }

  /** @throws AppError NOT_FOUND, FORBIDDEN */
  async delete(id: string, caller: Caller): Promise<void> {
    await this.#changeable(id, caller)
    if (!(await this.views.delete(id))) throw notFound('view', id)
  }

  async #changeable(id: string, caller: Caller): Promise<SavedView> {
    const view = await this.views.find(id)
    const isOwn = view?.owner === ownerOf(caller)
    if (!view || !(isOwn || view.isShared)) throw notFound('view', id)
    if (!isOwn) requirePermission(caller, 'accounts:manage')
    return view
  }
}

/** The installation owns views where no one signs in. */
const ownerOf = ({ account, subject, user }: Caller): string => account ?? subject ?? user ?? ''

const seen = (view: SavedView, owner: string): SeenView => {
  const isOwn = view.owner === owner
  return { ...view, isOwn, isStartPage: isOwn && view.isStartPage }
}

function check({ name, address, isShared }: ViewContent, caller: Caller): void {
  if (name.trim() === '' || name.length > NAME_MAX)
    throw badInput(`name: expected 1 to ${NAME_MAX} characters`)
  checkText('name', name)
  if (address.length > ADDRESS_MAX || !ADDRESS.test(address))
    throw badInput(
      `address: expected path and query of a page, such as /executions?state=FAILED, of at most ${ADDRESS_MAX} characters`,
    )
  checkText('address', address)
  if (isShared) requirePermission(caller, 'artifacts:write')
}
