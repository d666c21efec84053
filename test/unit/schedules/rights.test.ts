import { openCaller } from '../../../platform/access/caller.ts'
import { PERMISSIONS } from '../../../platform/access/permissions.ts'
import {
  DueRepository,
  type DueRun,
} from '../../../subgraphs/test-execution/schedules/due.repository.ts'

type Parts = ConstructorParameters<typeof DueRepository>

const nothing = {} as Parts[0] & Parts[1] // the rights of callers without an account are in no table
const dueWith = (needsSignIn: boolean) => new DueRepository(nothing, nothing, needsSignIn)
const runOf = (owner: Partial<DueRun['owner']>) =>
  ({ owner: { ...openCaller('stored'), ...owner } }) as unknown as DueRun // the rest is not asked for

test.each([
  ['AUTH_MODE=none', false, {}, PERMISSIONS],
  ['a sign-in since', true, {}, []],
  ['a sign-in, by a user of an issuer', true, { user: 'ada', subject: 'i\n1' }, PERMISSIONS],
])('a schedule that was stored with %s has its rights', async (_, needsSignIn, owner, held) => {
  expect(await dueWith(needsSignIn).callerOf(runOf(owner), 'run')).toMatchObject({
    requestId: 'run',
    permissions: held,
  })
})
