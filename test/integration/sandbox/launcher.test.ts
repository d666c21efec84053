import { createLauncher } from '../../../subgraphs/test-execution/runners/sandbox/launcher.ts'

test('a process that ended before its worker got round to it has started all the same', async () => {
  const launcher = createLauncher()
  try {
    await launcher.launch(['true'])
    const launched = launcher.launch(['true'])
    await new Promise(setImmediate) // the command is sent
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000) // nothing that comes is taken meanwhile
    const { exited } = await launched
    expect(await exited).toMatchObject({ code: 0, signal: null })
  } finally {
    await launcher.stop()
  }
}, 10_000)
