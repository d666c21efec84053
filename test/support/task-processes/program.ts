import { serveTasks } from '../../../platform/task-processes/serve-tasks.ts'

const busyFor = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

serveTasks(({ prepareMs = 0 }: { prepareMs?: number }) => {
  busyFor(prepareMs)
  return {
    echo: (value: unknown) => value,
    /** In one piece, far beyond the heap. */
    allocate: () => Array.from({ length: 200 }, () => new Array(1_000_000).fill(0.5)).flat().length,
    reply: (mebibytes: number) => 'x'.repeat(mebibytes * 2 ** 20),
    wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
    loop() {
      for (;;);
    },
  }
})
