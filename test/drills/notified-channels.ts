import { status as answered, startCollector } from '../support/collector.ts'

/** Status of an answer, or none. */
type Way = number | 'silence'

/** Book of one channel. */
interface Taken {
  /** Ids of messages that were answered with success. */
  messages: string[]
  /** Number of changes in them, and titles of those that are shown. */
  changes: number
  titles: string[]
  /** All requests, also those that were refused or repeated. */
  requests: number
}

/** Webhooks that keep what they take, each at a path of its own. */
export interface Channels {
  url: string
  answer(name: string, way: Way): void
  taken(name: string): Taken
  /** Waits for a request. */
  arrives(name: string): Promise<void>
  stop(): Promise<void>
}

export async function startChannels(): Promise<Channels> {
  const ways = new Map<string, Way>()
  /** Path → id of a message → its body; messages that are repeated under their id are one. */
  const taken = new Map<string, Map<string, string>>()
  const collector = await startCollector((response, nth, request) => {
    const way = ways.get(request.path) ?? 204
    if (way === 'silence') return
    answered(way)(response, nth, request)
    if (way >= 300) return
    const messages = taken.get(request.path) ?? new Map()
    taken.set(request.path, messages.set(String(request.headers['webhook-id']), request.body))
  })
  const of = (name: string) => collector.requests.filter(({ path }) => path === `/${name}`)
  return {
    url: collector.url,
    answer: (name, way) => void ways.set(`/${name}`, way),
    taken(name) {
      const messages = taken.get(`/${name}`) ?? new Map<string, string>()
      const bodies: Body[] = [...messages.values()].map((body) => JSON.parse(body))
      return {
        messages: [...messages.keys()],
        changes: bodies.reduce((sum, { data }) => sum + data.changesTotal, 0),
        titles: bodies.flatMap(({ data }) => data.changes.map(({ event }) => event.title)),
        requests: of(name).length,
      }
    },
    arrives: async (name) => void (await collector.received(1, ({ path }) => path === `/${name}`)),
    stop: () => collector.stop(),
  }
}

interface Body {
  data: { changesTotal: number; changes: { event: { title: string } }[] }
}
