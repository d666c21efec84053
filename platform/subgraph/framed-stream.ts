interface FramedStream<Item> {
  /** First items. */
  first: readonly Item[]
  /** Later items; null for none. */
  rest: AsyncIterator<Item> | null
  /** True if an item of the rest ends the stream. */
  isLast(item: Item): boolean
}

/** A stream with a begin and an end of its own. Who stops reading stops the source at once, as in map-stream.ts. */
export function framed<Item>({
  first,
  rest,
  isLast,
}: FramedStream<Item>): AsyncIterableIterator<Item> {
  const waiting = [...first]
  let isOver = false
  const leave = async () => {
    isOver = true
    await rest?.return?.()
    return OVER
  }
  return {
    async next() {
      const item = isOver ? undefined : waiting.shift()
      if (item !== undefined) return { done: false, value: item }
      if (isOver || !rest) return OVER
      const next = await rest.next()
      if (!next.done && isLast(next.value)) await leave()
      return next
    },
    return: leave,
    throw: leave,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const OVER: IteratorReturnResult<undefined> = { done: true, value: undefined }
