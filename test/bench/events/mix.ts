/** Shares of the occurrences of a store that runs for months; what is left are known problems as they were before. */
const NEW_PROBLEM = 0.1
const ANY_PROBLEM = 0.1
const UNIQUE_CONTENT = 0.1
/** Problems that come again and again, the first of them most of all, and the contents that each comes with. */
const HOT_PROBLEMS = 1_000
const CONTENTS = 10
/** One problem in ten brings a stack trace along. */
const TRACE = Array.from(
  { length: 12 },
  (_, at) => `  at Orders.step${at * 37} (/srv/orders/lib/part-${at}.js:${at * 91}:${at + 7})`,
).join('\n')
export const EVENTS_PER_REQUEST = 20

export const DESCRIPTION = `the mix: ${EVENTS_PER_REQUEST} events per request; 10 % new problems; 10 % of any known problem; 80 % of ${HOT_PROBLEMS} hot ones, which come with ${CONTENTS} contents each; 10 % of all have a request id of their own; events of 0.3 KiB, one problem in ten with a stack trace of 0.8 KiB`

/** An endless stream of request bodies. The fields are those that the lists of `reading` ask for. */
export function mixedBodies(): () => string {
  let known = HOT_PROBLEMS
  const next = () => {
    const kind = Math.random()
    if (kind < NEW_PROBLEM) return eventText(known++, 0)
    const isAny = kind < NEW_PROBLEM + ANY_PROBLEM
    const n = Math.floor(isAny ? Math.random() * known : Math.random() ** 2 * HOT_PROBLEMS)
    return eventText(n, Math.floor(Math.random() * CONTENTS))
  }
  return () => `[${Array.from({ length: EVENTS_PER_REQUEST }, next).join(',')}]`
}

function eventText(n: number, content: number): string {
  const latency = (n * 7_919 + content * 13) % 10_000
  return JSON.stringify({
    title: `Disk number ${n} is full`,
    message: `in the way of order ${n}, ${90 + content} % used${n % 10 === 0 ? `\n${TRACE}` : ''}`,
    fingerprintFields: ['@title'],
    severity: n % 1_000 === 0 ? 'CRITICAL' : 'INFO',
    status: n % 100 === 1 ? 'OPEN' : 'OK',
    source: { ref: `host-${n % 10_000}`, type: 'host' },
    properties: {
      order: n,
      latency,
      ...(Math.random() < UNIQUE_CONTENT && { request: crypto.randomUUID() }),
    },
    tags: [n % 10_000 === 2 ? 'rare' : 'common'],
    ...(n % 10_000 === 3 && { eventClass: 'rare' }),
  })
}
