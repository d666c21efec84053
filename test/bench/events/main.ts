import { printLoad, printMachine } from '../machine.ts'
import { benchAgainst } from './against.ts'
import { benchBackup } from './backup.ts'
import { benchBulk } from './bulk.ts'
import { benchIndexing } from './indexing.ts'
import { benchJetStream } from './jetstream.ts'
import { benchLayouts } from './layouts.ts'
import { benchLight } from './light.ts'
import { benchMillion } from './million.ts'
import { benchNotified } from './notified.ts'
import { startProduct } from './product.ts'
import { benchReading } from './reading.ts'
import { benchRuled } from './ruled.ts'
import { benchSettings } from './settings.ts'
import { benchSingle } from './single.ts'
import { benchSteady } from './steady.ts'

/** Prints what docs/internals/performance.md quotes on events, each part by its name or all but `against` and `ruled`. It judges nothing. */
const PARTS = {
  single: benchSingle,
  bulk: benchBulk,
  million: benchMillion,
  reading: benchReading,
  settings: benchSettings,
  layouts: benchLayouts,
  indexing: benchIndexing,
  steady: benchSteady,
  light: benchLight,
  backup: benchBackup,
  jetstream: benchJetStream,
  notified: benchNotified,
}

const chosen = Object.entries(PARTS).filter(
  ([name]) => process.argv.length < 3 || process.argv.includes(name),
)
printMachine()
const [, , part, checkout] = process.argv
if (part === 'against') await benchAgainst(checkout ?? '')
if (part === 'ruled') await benchRuled()
for (const [, bench] of chosen) {
  const running = await startProduct()
  try {
    await bench(running)
  } finally {
    await running.stop()
  }
}
printLoad()
