import { startUnderCheck, stopProducts } from './configured.ts'
import { ROWS } from './rows/all.ts'
import { CONTRACTS, type ContractId } from './sections.ts'

/** A test for each rule of a contract, in reading order. */
export function testContract(contract: ContractId): void {
  beforeAll(startUnderCheck)
  afterAll(stopProducts)

  const { title, sections } = CONTRACTS[contract]
  for (const section of sections)
    describe(`${title}: ${section}`, () => {
      for (const { id, rule, check } of ROWS.filter(
        (row) => row.contract === contract && row.section === section,
      ))
        test(`${id} ${rule}`, check)
    })
}
