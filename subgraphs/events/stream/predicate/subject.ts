import type { StoredEvent } from '../../tables/event.entity.ts'
import type { StoredRawEvent } from '../../tables/raw-event.entity.ts'

/** In lower case, as the database has it. */
export type LowerCase = (text: string) => string

/** Subject that a query judges: an occurrence, an event, or both. */
export class Subject {
  /** Title and so on. */
  readonly content: StoredRawEvent | StoredEvent
  #title: string | undefined
  #message: string | undefined

  /** @param event needed where a predicate reads it */
  constructor(
    readonly raw: StoredRawEvent | undefined,
    readonly event: StoredEvent | undefined,
    private readonly lower: LowerCase,
  ) {
    const content = raw ?? event
    if (!content) throw new Error('A subject is an occurrence or an event')
    this.content = content
  }

  /** Made once for all queries. */
  get lowerTitle(): string {
    this.#title ??= this.lower(this.content.title)
    return this.#title
  }

  get lowerMessage(): string | null {
    const { message } = this.content
    if (message === null) return null
    this.#message ??= this.lower(message)
    return this.#message
  }
}

/** True if something matches; undefined where only the database can say. */
export type Verdict = boolean | undefined

export type Judge = (subject: Subject) => Verdict
