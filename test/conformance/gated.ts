import { startGate } from '../support/gate.ts'
import { create } from './artifacts.ts'

/** Test case whose only step goes on until the test opens its gate. */
interface Paused {
  attributes: { environment: string; scenario: { steps: [object] } }
  open(): void
}

/** Runs a check with what makes test cases that go on until it lets them end. */
export async function withPause(check: (paused: Paused) => Promise<void>): Promise<void> {
  const gate = await startGate()
  try {
    const { id } = await create('environment', { allowedHosts: [gate.host] })
    const scenario: { steps: [object] } = { steps: [gate.step('pause')] }
    await check({ attributes: { environment: id, scenario }, open: gate.open })
  } finally {
    await gate.stop()
  }
}
