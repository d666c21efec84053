import { DATE_TIME } from '../../../platform/subgraph/date-time.ts'

const read = (value: unknown) => DATE_TIME.parseValue(value)

test.each([
  ['2026-03-29T02:30:00Z', '2026-03-29T02:30:00.000Z'],
  ['2026-03-29T02:30:00.123+01:00', '2026-03-29T01:30:00.123Z'],
  ['2026-03-29T02:30:00.123+0000', '2026-03-29T02:30:00.123Z'],
  ['2026-10-25T02:30:00-0930', '2026-10-25T12:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('%s is %s', (sent, iso) => {
  expect(read(sent).toISOString()).toBe(iso)
})

test.each([
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '2026-02-30T00:00:00Z',
  '2026-01-01',
  '2026-0101',
  '+0000',
  null,
])('%p is no time', (sent) => {
  expect(() => read(sent)).toThrow(/DateTime|cannot represent/)
})
