/**
 * Maps a stream. An async generator would hold `return()` back until the next value arrives; this one
 * forwards it at once, so a client that leaves frees its upstream, also on a quiet stream.
 */
export function mapStream<T, R>(
  source: AsyncIterable<T>,
  map: (value: T) => Promise<R>,
): AsyncIterableIterator<R> {
  const upstream = source[Symbol.asyncIterator]()
  const leave = async () => {
    await upstream.return?.()
    return { done: true as const, value: undefined }
  }
  return {
    async next() {
      const { done, value } = await upstream.next()
      return done ? { done, value: undefined } : { done: false, value: await map(value) }
    },
    return: leave,
    throw: leave,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
