import { planWish } from '../../../gateway/http/graphql/query-plan.ts'
import type { HttpRequest } from '../../../gateway/http/http-message.ts'
import { openCaller } from '../../../platform/access/caller.ts'
import { ROLES } from '../../../platform/access/permissions.ts'

const requestOf = (permissions: readonly string[], wish?: string) =>
  ({
    headers: wish === undefined ? {} : { 'x-assay-query-plan': wish },
    caller: { ...openCaller('test'), user: 'someone', permissions },
  }) as unknown as HttpRequest // all that is read of a request

test('plans are for administrators, where QUERY_PLANS is on', () => {
  expect(planWish(requestOf(ROLES.admin, 'only'), true)).toBe('only')
  expect(planWish(requestOf(ROLES.reader), false)).toBeUndefined()
  for (const role of [[], ROLES.reader, ROLES.runner, ROLES.editor])
    expect(() => planWish(requestOf(role, 'only'), true)).toThrow(/permission|may not/i)
  expect(() => planWish(requestOf(ROLES.admin, 'only'), false)).toThrow(/QUERY_PLANS is off/)
})
