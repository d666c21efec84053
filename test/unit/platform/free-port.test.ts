import { createServer } from 'node:net'
import { freePort } from '../../../platform/data-dir/free-port.ts'

test('a port is told once, can be taken, and is none that a system gives to connections by itself', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(50)
  for (const port of ports) {
    expect(port).toBeLessThan(32_768)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    await new Promise((resolve) => server.close(resolve))
  }
})
