import { parsedLines } from '../../../web/src/executions/log-line.ts'

const timesOf = (lines: string[], started: string) =>
  parsedLines(lines, started).map(({ time }) => time)

test('lines after midnight have the date of the next day, also those that are out of order', () => {
  const clocks = ['23:59:59.100', '00:00:00.002', '23:59:59.999', '12:30:00.000', '00:10:00.000']
  const lines = clocks.map((clock) => `${clock} INFO Step  done`)
  expect(timesOf(lines, '2026-02-28T23:59:59.000Z')).toEqual([
    '2026-02-28T23:59:59.100Z',
    '2026-03-01T00:00:00.002Z',
    '2026-02-28T23:59:59.999Z',
    '2026-03-01T12:30:00.000Z',
    '2026-03-02T00:10:00.000Z',
  ])
})

test('a line in another form has the time of the one before it', () => {
  const lines = [
    'plain',
    '10:00:00.500 WARN Http  slow',
    '  at source.ts',
    '99:00:00.000 INFO A  odd',
  ]
  expect(parsedLines(lines, '2026-01-01T10:00:00.000Z')).toEqual([
    { time: '2026-01-01T10:00:00.000Z', level: 'INFO', source: '', message: 'plain' },
    { time: '2026-01-01T10:00:00.500Z', level: 'WARN', source: 'Http', message: 'slow' },
    { time: '2026-01-01T10:00:00.500Z', level: 'INFO', source: '', message: '  at source.ts' },
    {
      time: '2026-01-01T10:00:00.500Z',
      level: 'INFO',
      source: '',
      message: '99:00:00.000 INFO A  odd',
    },
  ])
})
