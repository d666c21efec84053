import { startAssay } from '../_support/assay.ts'
import { checkAgainst } from './row.ts'
import { ROWS } from './rows/all.ts'
import { CONTRACTS, SECTIONS } from './sections.ts'
import { stopSignedIn } from './signed-in.ts'

let assay: Awaited<ReturnType<typeof startAssay>> | undefined

beforeAll(async () => {
  assay = await startAssay()
  checkAgainst(assay.url)
}, 60_000)

afterAll(async () => {
  await assay?.stop()
  await stopSignedIn()
}, 60_000)

for (const { contract, section } of SECTIONS)
  describe(`${CONTRACTS[contract].title}: ${section}`, () => {
    for (const { id, rule, check } of ROWS.filter(
      (r) => r.contract === contract && r.section === section,
    ))
      test(`${id} ${rule}`, check, 60_000)
  })
