import { AppError, notFound } from '../../../formats/errors.ts'
import { type Connection, type PageArgs, readPage } from '../../../platform/paging/page.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { type CallbackRepository, isDeliveryKey } from './callback.repository.ts'
import type { CallbackDelivery, CallbackStateName } from './callback.ts'
import { urlOf } from './callback-url.ts'

/** Shows what became of callbacks, and has them delivered again. */
export class CallbackService {
  constructor(
    private readonly repository: CallbackRepository,
    private readonly secrets: Pick<Secrets, 'open'>,
    private readonly now: () => Date = currentTime,
  ) {}

  ofExecution(executionId: string): Promise<CallbackDelivery[]> {
    return this.repository.ofExecution(executionId)
  }

  /** Address of the receiver, without secrets; only its origin where no key opens it. */
  shownUrl(delivery: CallbackDelivery): string {
    try {
      return maskedUrl(urlOf(delivery, this.secrets).url)
    } catch {
      return `${delivery.receiver}/${MASK}`
    }
  }

  /** @throws AppError BAD_USER_INPUT for a page that cannot be */
  page(page: PageArgs, state: CallbackStateName | null): Promise<Connection<CallbackDelivery>> {
    return this.repository.page(readPage(page, isDeliveryKey), state)
  }

  /** @throws AppError NOT_FOUND; CONFLICT while the delivery is being tried anyway */
  async redeliver(id: string): Promise<CallbackDelivery> {
    const delivery = await this.repository.find(id)
    if (!delivery) throw notFound('callback delivery', id)
    if (!(await this.repository.redeliver(delivery, this.now())))
      throw new AppError('CONFLICT', `The callback delivery ${id} is pending already`)
    return (await this.repository.find(id)) ?? delivery
  }
}

const MASK = '***'

/** An address as people may read it: user, password and what the query says are hidden, as they may be secrets. */
export function maskedUrl(address: string): string {
  const url = new URL(address)
  if (url.username) url.username = MASK
  if (url.password) url.password = MASK
  // A parameter without a name may be the secret itself.
  url.search = url.search.replace(/([?&][^=&]*=|[?&])[^&]+/g, `$1${MASK}`)
  if (url.hash) url.hash = MASK
  return url.href
}
