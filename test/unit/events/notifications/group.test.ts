import {
  type ChangeKind,
  changeKindOf,
  type State,
} from '../../../../subgraphs/events/notifications/change.ts'
import {
  dueAt,
  forgetEnded,
  type Group,
  type Message,
  newGroup,
  noteChange,
  noteSilenceEnd,
  type RuleTimes,
  takeMessage,
} from '../../../../subgraphs/events/notifications/group.ts'

const OPEN: State = { status: 'OPEN', severity: 'ERROR' }
const WORSE: State = { status: 'OPEN', severity: 'CRITICAL' }
const TAKEN: State = { status: 'ACKNOWLEDGED', severity: 'ERROR' }
const CLOSED: State = { status: 'CLOSED', severity: 'ERROR' }

const ALL: ChangeKind[] = ['OPENED', 'REOPENED', 'RAISED', 'RESOLVED']

/** groupWait 2 s, groupInterval 6 s, as the runs of the peer that these are compared with. */
const rule = (given: Partial<Omit<RuleTimes, 'on'>> & { on?: ChangeKind[] } = {}): RuleTimes => ({
  groupWaitMs: 2_000,
  groupIntervalMs: 6_000,
  repeatIntervalMs: null,
  flappingAfter: 100,
  flappingWithinMs: 900_000,
  ...given,
  on: new Set(given.on ?? ALL),
})

/** Second → events and the states that they take, or silences: `-A` begins for A, `+A` ends. */
type Script = [second: number, ...steps: [event: string, state: State][] | [string]][]

/** Plays changes and judges the group whenever it is due. @returns `second reason A:KIND+KIND (still open)` */
function play(script: Script, times = rule(), until = 3_600): string[] {
  const group: Group = newGroup()
  const states = new Map<string, State>()
  const silenced = new Set<string>()
  const sent: string[] = []
  const judgeUntil = (end: number) => {
    for (let due = dueAt(group, times); due !== null && due <= end; due = dueAt(group, times)) {
      const message = takeMessage(group, times, due, (id) => silenced.has(id))
      if (message) sent.push(`${due / 1_000} ${textOf(message)}`)
      forgetEnded(group, times, due)
    }
  }
  for (const [second, ...steps] of script) {
    const at = second * 1_000
    judgeUntil(at - 1)
    for (const step of steps) {
      if (typeof step === 'string') {
        const id = step.slice(1)
        if (step.startsWith('-')) silenced.add(id)
        else {
          silenced.delete(id)
          noteSilenceEnd(group, new Set([id]), at, true)
        }
        continue
      }
      const [eventId, to] = step
      const kind = changeKindOf(states.get(eventId) ?? null, to)
      states.set(eventId, to)
      if (!kind) continue
      const change = { eventId, kind, to, at, matches: true, isSilenced: silenced.has(eventId) }
      noteChange(group, times, change)
    }
  }
  judgeUntil(until * 1_000)
  return sent
}

const textOf = ({ reason, changes, open }: Message): string =>
  [
    reason,
    ...changes.map(({ eventId, kinds, isFlapping }) =>
      isFlapping ? `${eventId}:FLAPPING` : `${eventId}:${kinds.join('+')}`,
    ),
    ...(open.length > 0 ? [`(${open.join(' ')})`] : []),
  ].join(' ')

const flap = (from: number, to: number, every: number): Script =>
  Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, at) => [
    from + at * every,
    ['A', at % 2 === 0 ? OPEN : CLOSED],
  ])

describe('A group of one rule and channel', () => {
  test.each<[title: string, script: Script, sent: string[], times?: RuleTimes, until?: number]>([
    [
      '1: gathers what comes within groupWait',
      [
        [0, ['A', OPEN]],
        [1, ['B', OPEN]],
      ],
      ['2 first A:OPENED B:OPENED'],
    ],
    [
      '1c: notifies of what began and ended within groupWait',
      [
        [0, ['A', OPEN]],
        [1, ['A', CLOSED]],
      ],
      ['2 first A:OPENED+RESOLVED'],
    ],
    [
      '2: tells what is new from what is still open, a groupInterval after the last notification',
      [
        [0, ['A', OPEN]],
        [3, ['B', OPEN]],
      ],
      ['2 first A:OPENED', '8 change B:OPENED (A)'],
    ],
    [
      '2: notifies at once where groupInterval has passed',
      [
        [0, ['A', OPEN]],
        [30, ['B', OPEN]],
      ],
      ['2 first A:OPENED', '30 change B:OPENED (A)'],
    ],
    [
      '3: repeats by a clock of its own',
      [[0, ['A', OPEN]]],
      ['2 first A:OPENED', '12 repeat (A)', '22 repeat (A)', '32 repeat (A)'],
      rule({ repeatIntervalMs: 10_000 }),
      40,
    ],
    [
      '4: notifies of an end alone, and repeats after each notification anew',
      [
        [0, ['A', OPEN], ['B', OPEN], ['C', OPEN]],
        [4, ['C', CLOSED]],
      ],
      ['2 first A:OPENED B:OPENED C:OPENED', '8 change C:RESOLVED (A B)', '28 repeat (A B)'],
      rule({ repeatIntervalMs: 20_000 }),
      40,
    ],
    [
      '5: shows a flap inside of one interval',
      [
        [0, ['A', OPEN]],
        [3, ['A', CLOSED]],
        [5, ['A', OPEN]],
      ],
      ['2 first A:OPENED', '8 change A:RESOLVED+REOPENED'],
    ],
    [
      '5b: says flapping once, and what it is when it is steady',
      flap(0, 60, 6),
      [
        '2 first A:OPENED',
        '8 change A:RESOLVED',
        '14 first A:REOPENED',
        '20 change A:FLAPPING',
        '162 first A:STEADY',
      ],
      rule({ flappingAfter: 4, flappingWithinMs: 100_000 }),
    ],
    [
      '5c: without RESOLVED, notifies of each opening',
      [
        [0, ['A', OPEN]],
        [4, ['A', CLOSED]],
        [10, ['A', OPEN]],
      ],
      ['2 first A:OPENED', '12 first A:REOPENED'],
      rule({ on: ['OPENED', 'REOPENED'] }),
    ],
    [
      '6: waits groupWait again after all have ended',
      [
        [0, ['A', OPEN]],
        [4, ['A', CLOSED]],
        [9, ['A', OPEN]],
        [46, ['A', CLOSED]],
        [60, ['A', OPEN]],
      ],
      [
        '2 first A:OPENED',
        '8 change A:RESOLVED',
        '11 first A:REOPENED',
        '46 change A:RESOLVED',
        '62 first A:REOPENED',
      ],
    ],
    [
      '7: notifies at the end of a silence of what is still open',
      [
        [0, ['A', OPEN]],
        [4, '-A'],
        [16, '+A'],
      ],
      ['2 first A:OPENED', '16 silenceEnded A:SILENCE_ENDED'],
    ],
    [
      '7: repeats nothing that is silenced',
      [
        [0, ['A', OPEN]],
        [4, '-A'],
        [41, '+A'],
      ],
      ['2 first A:OPENED', '41 silenceEnded A:SILENCE_ENDED', '51 repeat (A)'],
      rule({ repeatIntervalMs: 10_000 }),
      55,
    ],
    [
      '7b: notifies after groupWait of what began in a silence',
      [
        [0, '-A'],
        [0.5, ['A', OPEN]],
        [10, '+A'],
      ],
      ['12 silenceEnded A:SILENCE_ENDED'],
    ],
    [
      '7c: keeps back what a silence meets before its notification',
      [
        [0, ['A', OPEN]],
        [1, '-A'],
        [10, '+A'],
      ],
      ['12 silenceEnded A:SILENCE_ENDED'],
    ],
    [
      '8: notifies through a silence of the end of what was notified as open',
      [
        [0, ['A', OPEN]],
        [4, '-A'],
        [9, ['A', CLOSED]],
        [20, '+A'],
      ],
      ['2 first A:OPENED', '9 change A:RESOLVED'],
    ],
    [
      '8: notifies of nothing that began and ended in a silence',
      [
        [0, '-A'],
        [1, ['A', OPEN]],
        [9, ['A', CLOSED]],
        [20, '+A'],
      ],
      [],
    ],
    [
      '8b: notifies of a new opening after an end in a silence',
      [
        [0, ['A', OPEN]],
        [4, '-A'],
        [9, ['A', CLOSED]],
        [20, '+A'],
        [24, ['A', OPEN]],
      ],
      ['2 first A:OPENED', '9 change A:RESOLVED', '26 first A:REOPENED'],
    ],
    [
      '9: takes the end of a silence of one of two for a reason',
      [
        [0, ['A', OPEN], ['B', OPEN]],
        [4, '-B'],
        [20, '+B'],
      ],
      ['2 first A:OPENED B:OPENED', '20 silenceEnded B:SILENCE_ENDED (A)'],
    ],
    [
      '9b: and does so whether something else changed or not',
      [
        [0, ['A', OPEN], ['B', OPEN]],
        [4, '-B'],
        [10, ['C', OPEN]],
        [20, '+B'],
      ],
      [
        '2 first A:OPENED B:OPENED',
        '10 change C:OPENED (A)',
        '20 silenceEnded B:SILENCE_ENDED (A C)',
      ],
    ],
    [
      '10: notifies of what ended and began again in a silence once the silence ends',
      [
        [0, ['T', OPEN]],
        [4, '-T'],
        [10, ['T', CLOSED]],
        [12, ['T', OPEN]],
        [24, '+T'],
      ],
      ['2 first T:OPENED', '10 change T:RESOLVED', '26 silenceEnded T:SILENCE_ENDED'],
    ],
    [
      'notifies of a rise and of a person, where the rule wants it',
      [
        [0, ['A', OPEN]],
        [10, ['A', WORSE]],
        [20, ['A', TAKEN]],
        [30, ['A', CLOSED]],
      ],
      [
        '2 first A:OPENED',
        '10 change A:RAISED',
        '20 change A:ACKNOWLEDGED',
        '30 change A:RESOLVED',
      ],
      rule({ on: [...ALL, 'ACKNOWLEDGED'] }),
    ],
    [
      'leaves out a person where it does not, and notifies of the end',
      [
        [0, ['A', OPEN]],
        [20, ['A', TAKEN]],
        [30, ['A', CLOSED]],
      ],
      ['2 first A:OPENED', '30 change A:RESOLVED'],
    ],
    [
      'notifies of ends alone',
      [
        [0, ['A', OPEN]],
        [30, ['A', CLOSED]],
      ],
      ['32 first A:RESOLVED'],
      rule({ on: ['RESOLVED'] }),
    ],
  ])('%s', (_, script, sent, times = rule(), until = 3_600) => {
    expect(play(script, times, until)).toEqual(sent)
  })

  const given = (kind: ChangeKind, to: State, matches: boolean) => ({
    ...{ eventId: 'A', kind, to, at: 0, matches, isSilenced: false },
  })

  test('knows nothing of the end of an event that was open before the rule', () => {
    const group = newGroup()
    noteChange(group, rule(), given('RESOLVED', CLOSED, true))
    expect(dueAt(group, rule())).toBeNull()
  })

  test('takes the rise that brings an event into its query for its opening', () => {
    const group = newGroup()
    const opened = rule({ on: ['OPENED'] })
    noteChange(group, opened, given('OPENED', OPEN, false))
    expect(dueAt(group, opened)).toBeNull()
    noteChange(group, opened, given('RAISED', WORSE, true))
    expect(dueAt(group, opened)).toBe(2_000)
  })

  test('notifies of an end whose severity the query does not match', () => {
    const group = newGroup()
    noteChange(group, rule(), given('OPENED', OPEN, true))
    expect(takeMessage(group, rule(), 2_000)?.changes).toHaveLength(1)
    noteChange(group, rule(), given('RESOLVED', { status: 'OK', severity: 'INFO' }, false))
    expect(takeMessage(group, rule(), 8_000)?.changes).toMatchObject([
      { kinds: ['RESOLVED'], from: OPEN, to: { status: 'OK', severity: 'INFO' } },
    ])
  })

  test('forgets events that ended once they can no longer flap', () => {
    const group = newGroup()
    const times = rule({ flappingWithinMs: 10_000 })
    noteChange(group, times, given('OPENED', OPEN, true))
    noteChange(group, times, given('RESOLVED', CLOSED, true))
    takeMessage(group, times, 2_000)
    forgetEnded(group, times, 2_000)
    expect(group.members.size).toBe(1)
    forgetEnded(group, times, 11_000)
    expect(group.members.size).toBe(0)
  })
})
