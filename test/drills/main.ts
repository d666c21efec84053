import { printLoad, printMachine } from '../bench/machine.ts'
import { ASSISTANTS, followAssistants } from './assistants.ts'
import { BEHIND_PROXIES, behindProxies } from './behind-proxies.ts'
import { type Drilled, drill } from './drill.ts'
import { FAULTS, type Fault } from './faults.ts'
import { followPage, PAGE } from './how-to.ts'
import { startInstallation } from './installation.ts'
import { drillNotifications, NOTIFICATIONS } from './notifications.ts'
import { TOPOLOGIES } from './topology.ts'
import { runUnattended, UNATTENDED } from './unattended.ts'

/** `npm run test:drills [-- <part of a name>…]`: prints the books of each fault; exits with 1 when one does not balance. */
process.setMaxListeners(0) // each process of the installation ends with this one
printMachine()
const wanted = process.argv.slice(2)
const faults = FAULTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
)
let unbalanced = 0
for (const topology of TOPOLOGIES) {
  const here = faults.filter((fault) => (fault.topology ?? 'plain') === topology)
  if (here.length === 0) continue
  const installation = await startInstallation(topology)
  try {
    for (const fault of here) {
      const drilled = await drill(installation, fault)
      print(fault, drilled)
      if (drilled.differences.length > 0) unbalanced++
    }
  } finally {
    await installation.stop()
  }
}
/** They start what they need by themselves. */
const others = Object.entries({
  [BEHIND_PROXIES]: behindProxies,
  [PAGE]: followPage,
  [ASSISTANTS]: followAssistants,
  [NOTIFICATIONS]: drillNotifications,
  [UNATTENDED]: runUnattended,
}).filter(([name]) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
for (const [name, drillAlone] of others) {
  const differences = await drillAlone()
  console.log(`\n${name}: ${differences.length === 0 ? 'balanced' : 'NOT BALANCED'}`)
  for (const difference of differences) console.log(`  ! ${difference}`)
  if (differences.length > 0) unbalanced++
}
const drills = faults.length + others.length
console.log(`\n${drills - unbalanced} of ${drills} drills balance`)
printLoad()
process.exitCode = unbalanced === 0 ? 0 : 1

function print({ name }: Fault, { books, recoveredMs, differences }: Drilled): void {
  const known = (['accepted', 'refused', 'unknown'] as const).map(
    (each) => `${books.titles(each).length} ${each}`,
  )
  const callbacks = [...books.callbacks.values()].reduce((sum, count) => sum + count, 0)
  console.log(`\n${name}: ${differences.length === 0 ? 'balanced' : 'NOT BALANCED'}`)
  console.log(
    `  events ${known.join(', ')}; executions ${books.executions.size}, callbacks ${callbacks}`,
  )
  for (const [kind, { succeeded, longestMs }] of books.requests)
    console.log(
      `  ${kind}: ${succeeded} succeeded, the longest in ${Math.round(longestMs)} ms; failed: ${books.failuresOf(kind)}`,
    )
  console.log(`  all kinds succeed again ${Math.round(recoveredMs)} ms after the fault`)
  for (const difference of differences) console.log(`  ! ${difference}`)
}
