import { restOf, totalOf } from '../../../web/src/overview/open-parts.ts'

const about = (totalCount: number) => ({ totalCount, isTotalCountEstimated: true })
const exactly = (totalCount: number) => ({ totalCount, isTotalCountEstimated: false })

test.each([
  [
    'that were counted are shown as they are',
    {
      open: exactly(9),
      critical: exactly(2),
      error: exactly(3),
      warn: exactly(0),
      other: exactly(4),
    },
    '4',
  ],
  [
    'of which one was counted leave it as it is',
    {
      open: about(20_400),
      critical: about(12_000),
      error: exactly(0),
      warn: exactly(0),
      other: exactly(8_391),
    },
    '8,391',
  ],
  [
    'that are estimates add up to all',
    {
      open: about(100_006),
      critical: about(20_001),
      error: about(19_890),
      warn: about(20_120),
      other: about(51_020),
    },
    'about 40,000',
  ],
  [
    'that were not estimated yet stay lower bounds',
    {
      open: about(10_001),
      critical: about(10_001),
      error: about(10_001),
      warn: about(10_001),
      other: about(10_001),
    },
    'more than 10,000',
  ],
])('parts of the open events %s', (_case, parts, rest) => {
  expect(totalOf(restOf(parts))).toBe(rest)
})
