import { drill } from '../drills/drill.ts'
import { FAULTS } from '../drills/faults.ts'
import { type Installation, startInstallation } from '../drills/installation.ts'

/** The short form of `npm run test:drills`, which drills all faults. */
const SHORT = [
  'kill -9 of everything at once',
  'PostgreSQL crashes and recovers',
  'rolling restart',
]

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

test.each(FAULTS.filter(({ name }) => SHORT.includes(name)))(
  'the books balance after: $name',
  async (fault) => {
    const { differences, books } = await drill(installation, fault)
    expect(differences).toEqual([])
    expect(books.titles('accepted').length).toBeGreaterThan(0)
  },
)

test('each fault of the short form exists', () => {
  expect(FAULTS.map(({ name }) => name)).toEqual(expect.arrayContaining(SHORT))
})
