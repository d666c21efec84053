import { mapStream } from '../../../platform/async/map-stream.ts'

test('a consumer that leaves frees a quiet upstream at once', async () => {
  let freed = false
  const quiet: AsyncIterableIterator<number> = {
    next: () => new Promise<never>(() => {}),
    return: async () => {
      freed = true
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  const stream = mapStream(quiet, async (value) => value)
  void stream.next()
  await stream.return?.()
  expect(freed).toBe(true)
})

test('items keep their order and the end passes through', async () => {
  async function* numbers() {
    yield 1
    yield 2
  }
  const seen: string[] = []
  for await (const item of mapStream(numbers(), async (value) => `#${value}`)) seen.push(item)
  expect(seen).toEqual(['#1', '#2'])
})
