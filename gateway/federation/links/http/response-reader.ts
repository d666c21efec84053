/** Headers of a response. */
export interface ResponseHead {
  status: number
  retryAfter: string | undefined
  /** True if the server closes the connection behind it. */
  isLast: boolean
  /** Time that the server keeps an idle connection, where it names one. */
  idleMs: number | undefined
  /** Those that the listener wants. */
  headers: [name: string, value: string][]
}

export interface ResponseListener {
  /** @param name of a header, in lower case */
  isWanted?: ((name: string) => boolean) | undefined
  onHead(head: ResponseHead): void
  onBody(body: string): void
}

/** Bytes of all headers, or of the line of a chunk. */
const MAX_HEAD_BYTES = 65_536

const NOTHING = Buffer.alloc(0)
const LINE_END = '\r\n'
const HEAD_END = '\r\n\r\n'

/** Error for bytes that are no response of HTTP/1.1. */
export class BadResponse extends Error {
  override name = 'BadResponse'
}

/** A body has more bytes than are read. */
export class BodyTooLong extends Error {
  override name = 'BodyTooLong'

  constructor(readonly most: number) {
    super(`The body has more than ${most} bytes`)
  }
}

type Part =
  | 'head'
  | 'body'
  | 'body until the end'
  | 'chunk size'
  | 'chunk'
  | 'chunk end'
  | 'trailers'

/** Reads the responses of one connection (RFC 9112), in whatever pieces they arrive. Their bodies are texts in UTF-8. */
export class ResponseReader {
  readonly #listener: ResponseListener
  #part: Part = 'head'
  /** Bytes of the body or the chunk that are still to come. */
  #missing = 0
  /** The beginning of what is read as a whole. */
  #held: Buffer | undefined
  /** The body so far: a list of pieces would take many times the room of small ones. */
  #body = NOTHING
  #length = 0
  readonly #most: number

  /** @param most bytes of a body */
  constructor(listener: ResponseListener, most: number) {
    this.#listener = listener
    this.#most = most
  }

  /** True if nothing has come of the next response. */
  get isBetween(): boolean {
    return this.#part === 'head' && !this.#held
  }

  /** @param bytes read before it returns; what is kept is copied @throws BadResponse, BodyTooLong */
  read(bytes: Buffer): void {
    const given = this.#held ? Buffer.concat([this.#held, bytes]) : bytes
    this.#held = undefined
    let at = 0
    while (at < given.length) {
      const next = this.#next(given, at)
      if (next === undefined) break
      at = next
    }
    if (at === given.length) return
    if (given.length - at > MAX_HEAD_BYTES) throw new BadResponse('The headers do not end')
    this.#held = Buffer.from(given.subarray(at))
  }

  /** The server sends no more, which ends a body of unknown length. */
  end(): void {
    if (this.#part === 'body until the end') this.#finish(NOTHING)
  }

  /** @returns where it read to; undefined where more has to come first */
  #next(given: Buffer, at: number): number | undefined {
    switch (this.#part) {
      case 'head': {
        const end = given.indexOf(HEAD_END, at, 'latin1')
        if (end < 0) return undefined
        this.#readHead(given.toString('latin1', at, end))
        return end + HEAD_END.length
      }
      case 'body': {
        const end = Math.min(at + this.#missing, given.length)
        this.#missing -= end - at
        if (this.#missing === 0) this.#finish(given.subarray(at, end))
        else this.#keep(given, at, end)
        return end
      }
      case 'body until the end':
        this.#keep(given, at, given.length)
        return given.length
      case 'chunk size': {
        const end = given.indexOf(LINE_END, at, 'latin1')
        if (end < 0) return undefined
        const size = /^([0-9a-f]{1,8})[ \t]*(;|$)/i.exec(given.toString('latin1', at, end))?.[1]
        if (size === undefined) throw new BadResponse('A chunk has no size')
        this.#missing = Number.parseInt(size, 16)
        this.#requireRoom(this.#missing)
        this.#part = this.#missing > 0 ? 'chunk' : 'trailers'
        // The empty line behind the last chunk may have trailers before it.
        return this.#missing > 0 ? end + LINE_END.length : end
      }
      case 'chunk': {
        const end = Math.min(at + this.#missing, given.length)
        this.#keep(given, at, end)
        this.#missing -= end - at
        if (this.#missing === 0) this.#part = 'chunk end'
        return end
      }
      case 'chunk end': {
        const end = at + LINE_END.length
        if (given.length < end) return undefined
        if (given.toString('latin1', at, end) !== LINE_END)
          throw new BadResponse('A chunk is longer than its size')
        this.#part = 'chunk size'
        return end
      }
      case 'trailers': {
        const end = given.indexOf(HEAD_END, at, 'latin1')
        if (end < 0) return undefined
        this.#finish(NOTHING)
        return end + HEAD_END.length
      }
    }
  }
  #readHead(text: string): void {
    const { isChunked, ...head } = headOf(text, this.#listener.isWanted)
    if (head.status < 200) return // another one follows
    const length = head.status === 204 || head.status === 304 ? 0 : head.length
    const isOpen = !isChunked && length === undefined
    if (isChunked) this.#part = 'chunk size'
    else this.#part = isOpen ? 'body until the end' : 'body'
    this.#missing = length ?? 0
    this.#listener.onHead({ ...head, isLast: head.isLast || isOpen })
    this.#requireRoom(this.#missing)
    if (length === 0) this.#finish(NOTHING)
  }

  #keep(given: Buffer, from: number, to: number): void {
    const length = this.#length + to - from
    this.#requireRoom(to - from)
    if (length > this.#body.length) {
      const body = Buffer.allocUnsafe(Math.min(2 * length, this.#most))
      this.#body.copy(body, 0, 0, this.#length)
      this.#body = body
    }
    given.copy(this.#body, this.#length, from, to)
    this.#length = length
  }

  #requireRoom(bytes: number): void {
    if (this.#length + bytes > this.#most) throw new BodyTooLong(this.#most)
  }

  #finish(last: Buffer): void {
    let body = last
    if (this.#length > 0) {
      this.#keep(last, 0, last.length)
      body = this.#body.subarray(0, this.#length)
    }
    this.#body = NOTHING
    this.#length = 0
    this.#part = 'head'
    this.#listener.onBody(body.toString())
  }
}

interface FullHead extends ResponseHead {
  /** Undefined where the body has another end. */
  length: number | undefined
  isChunked: boolean
}

/** @param text the status line and all headers @throws BadResponse */
function headOf(text: string, isWanted: ResponseListener['isWanted']): FullHead {
  const [statusLine = '', ...lines] = text.split(LINE_END)
  const [, minor, status] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/.exec(statusLine) ?? []
  if (!status || status === '101') throw new BadResponse('The answer is no response of HTTP/1.1')
  const head: FullHead = {
    status: Number(status),
    retryAfter: undefined,
    isLast: minor === '0',
    idleMs: undefined,
    headers: [],
    length: undefined,
    isChunked: false,
  }
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (colon < 1 || /\s/.test(name)) throw new BadResponse('A header has no name')
    HEADERS[name]?.(head, line.slice(colon + 1).trim())
    if (isWanted?.(name)) head.headers.push([name, line.slice(colon + 1).trim()])
  }
  if (head.isChunked && head.length !== undefined)
    throw new BadResponse('The body has a length and chunks')
  return head
}

/** Readers of headers. */
const HEADERS: Record<string, ((head: FullHead, value: string) => void) | undefined> = {
  __proto__: null as never,
  'content-length'(head, value) {
    const length = /^\d{1,15}$/.test(value) ? Number(value) : undefined
    if (length === undefined || (head.length !== undefined && head.length !== length))
      throw new BadResponse('The length of the body is none')
    head.length = length
  },
  'transfer-encoding'(head, value) {
    if (value.toLowerCase() !== 'chunked' || head.isChunked)
      throw new BadResponse(`The body has the unknown coding ${value}`)
    head.isChunked = true
  },
  connection(head, value) {
    if (/(^|[\s,])close([\s,]|$)/i.test(value)) head.isLast = true
  },
  'keep-alive'(head, value) {
    const seconds = /(?:^|[\s,])timeout=(\d{1,6})/i.exec(value)?.[1]
    if (seconds !== undefined) head.idleMs = Number(seconds) * 1_000
  },
  'retry-after'(head, value) {
    head.retryAfter = value
  },
}
