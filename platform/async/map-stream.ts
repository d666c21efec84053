/**
 * A stream with each item mapped. Whoever stops reading stops the source in the same moment: an async generator, which
 * would be shorter, stays suspended in `next()` until the source speaks again, and a silent source keeps it for ever.
 * @param onEnd called once, when the source is exhausted or was left
 */
export function mapStream<T, R>(
  source: AsyncIterable<T>,
  map: (value: T) => Promise<R>,
  onEnd: () => void = () => {},
): AsyncIterableIterator<R> {
  const upstream = source[Symbol.asyncIterator]()
  let ended = false
  const end = () => {
    if (!ended) onEnd()
    ended = true
    return { done: true as const, value: undefined }
  }
  const leave = async () => {
    await upstream.return?.()
    return end()
  }
  return {
    async next() {
      const { done, value } = await upstream.next()
      return done ? end() : { done: false, value: await map(value) }
    },
    return: leave,
    throw: leave,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
