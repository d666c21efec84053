import { durationMs } from '../../../formats/duration.ts'
import { badInput } from '../../../formats/errors.ts'
import {
  type Connection,
  type IsKey,
  type PageArgs,
  readPage,
} from '../../../platform/paging/page.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { StoredHeartbeat } from './heartbeat.entity.ts'
import type { HeartbeatRepository } from './heartbeat.repository.ts'

const NAME = /^[A-Za-z0-9._-]{1,100}$/
const LEAST_MS = 10_000
const MOST_MS = 30 * 86_400_000
/** Share of the interval by which a heartbeat may be late. */
const GRACE = 0.1

const isName: IsKey = ([name = '', ...rest]) => NAME.test(name) && rest.length === 0

/** Heartbeats as clients see them. */
export class HeartbeatService {
  constructor(
    private readonly heartbeats: HeartbeatRepository,
    /** HEARTBEATS */
    private readonly most: number,
  ) {}

  /** @throws AppError BAD_USER_INPUT, or CONFLICT beyond HEARTBEATS */
  async record(name: string, every: string | null | undefined): Promise<StoredHeartbeat> {
    if (!NAME.test(name))
      throw badInput(
        'name: expected 1 to 100 letters and digits of ASCII, points, hyphens and underscores',
      )
    return this.heartbeats.record(name, every ? intervalOf(every) : null, currentTime(), this.most)
  }

  page(args: PageArgs): Promise<Connection<StoredHeartbeat>> {
    return this.heartbeats.page(readPage(args, isName))
  }

  setPaused(name: string, isPaused: boolean): Promise<StoredHeartbeat> {
    return this.heartbeats.setPaused(name, isPaused, currentTime())
  }

  delete(name: string): Promise<StoredHeartbeat> {
    return this.heartbeats.delete(name, currentTime())
  }
}

function intervalOf(text: string): { text: string; allowedMs: number } {
  const ms = /^\d{1,9}(ms|s|m|h|d)$/.test(text) ? durationMs(text) : 0
  if (ms < LEAST_MS || ms > MOST_MS)
    throw badInput('every: expected a duration from 10s to 30d, such as 5m')
  return { text, allowedMs: Math.round(ms * (1 + GRACE)) }
}
