import type { ServerProcess } from '../../../platform/data-dir/postgres-process.ts'
import { superviseServer } from '../../../platform/data-dir/postgres-supervisor.ts'

/** A server whose end the test decides. */
function fakeServer(): ServerProcess & { die(): void; stopped: number } {
  const { promise, resolve } = Promise.withResolvers<string>()
  return {
    exited: promise,
    die: () => resolve('ended (SIGKILL)'),
    stopped: 0,
    async stop() {
      this.stopped += 1
      resolve('ended (code 0)')
    },
  }
}

const listen = () => {
  const said: string[] = []
  let heard = () => {}
  const hear = (message: string) => {
    said.push(message)
    heard()
  }
  const until = async (pattern: RegExp) => {
    while (!said.some((message) => pattern.test(message))) {
      await new Promise<void>((resolve) => {
        heard = resolve
      })
    }
  }
  return { said, until, log: { info: hear, warn: hear } }
}

test('a server that dies is started again until it runs', async () => {
  const first = fakeServer()
  const second = fakeServer()
  const { said, until, log } = listen()
  let attempts = 0
  const start = async () => {
    attempts += 1
    if (attempts < 3) throw new Error('the disk is full')
    return second
  }
  const supervised = superviseServer(first, start, log)
  first.die()
  await until(/runs again/)
  expect(said).toEqual([
    'The database ended (SIGKILL); starting it again',
    'The database does not start: the disk is full',
    'The database does not start: the disk is full',
    'The database runs again',
  ])
  await supervised.stop()
  expect(second.stopped).toBe(1)
})

test('a stop that meets a restart stops the new server too', async () => {
  const first = fakeServer()
  const second = fakeServer()
  const { until, log } = listen()
  const started = Promise.withResolvers<ServerProcess>()
  const supervised = superviseServer(first, () => started.promise, log)
  first.die()
  await until(/starting it again/)
  const stopped = supervised.stop()
  started.resolve(second)
  await stopped
  expect(second.stopped).toBe(1)
})

test('a stop does not wait for the next attempt', async () => {
  const first = fakeServer()
  const { until, log } = listen()
  const start = async () => {
    throw new Error('never')
  }
  const supervised = superviseServer(first, start, log)
  first.die()
  await until(/does not start/)
  await supervised.stop()
  await supervised.stop()
})
