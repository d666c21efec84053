import { openCaller } from '../../../platform/access/caller.ts'
import { PERMISSIONS } from '../../../platform/access/permissions.ts'
import { OwnerRepository } from '../../../subgraphs/test-execution/unattended/owner.repository.ts'

const nothing = {} as ConstructorParameters<typeof OwnerRepository>[0] // the rights of callers without an account are in no table

test.each([
  ['AUTH_MODE=none', false, {}, PERMISSIONS],
  ['a sign-in since', true, {}, []],
  ['a sign-in, by a user of an issuer', true, { user: 'ada', subject: 'i\n1' }, PERMISSIONS],
])('a schedule that was stored with %s has its rights', async (_, needsSignIn, owner, held) => {
  const given = { ...openCaller('stored'), ...owner }
  expect(await new OwnerRepository(nothing, needsSignIn).callerOf(given, 'run')).toMatchObject({
    requestId: 'run',
    permissions: held,
  })
})
