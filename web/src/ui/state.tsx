import { Icon, type IconName } from './icon.tsx'

/** Meaning of a colour, which never stands alone: an icon and a word go with it. */
export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet'

interface Look {
  tone: Tone
  icon: IconName
  word: string
}

const LOOKS: Readonly<Record<string, Look>> = {
  COMPLETED: { tone: 'good', icon: 'check', word: 'Passed' },
  FAILED: { tone: 'bad', icon: 'cross', word: 'Failed' },
  ERROR: { tone: 'warn', icon: 'alert', word: 'Error' },
  FAILED_OPTIONAL: { tone: 'quiet', icon: 'cross', word: 'Failed, optional' },
  ERROR_OPTIONAL: { tone: 'quiet', icon: 'alert', word: 'Error, optional' },
  CANCELLED: { tone: 'quiet', icon: 'stop', word: 'Cancelled' },
  RUNNING: { tone: 'busy', icon: 'spin', word: 'Running' },
  WAITING: { tone: 'quiet', icon: 'clock', word: 'Waiting' },
  SKIPPED: { tone: 'quiet', icon: 'skip', word: 'Skipped' },
  OPEN: { tone: 'bad', icon: 'alert', word: 'Open' },
  ACKNOWLEDGED: { tone: 'busy', icon: 'eye', word: 'Acknowledged' },
  CLOSED: { tone: 'quiet', icon: 'check', word: 'Closed' },
  OK: { tone: 'good', icon: 'check', word: 'OK' },
  DELIVERED: { tone: 'good', icon: 'check', word: 'Delivered' },
  PRESENT: { tone: 'good', icon: 'check', word: 'Present' },
  MISSING: { tone: 'bad', icon: 'alert', word: 'Missing' },
  PAUSED: { tone: 'quiet', icon: 'stop', word: 'Paused' },
  PENDING: { tone: 'quiet', icon: 'clock', word: 'Pending' },
  DEAD: { tone: 'bad', icon: 'cross', word: 'Dead' },
  GIVEN_UP: { tone: 'warn', icon: 'skip', word: 'Given up' },
}

/** Words of clients have a look, too. */
export const lookOf = (state: string): Look =>
  LOOKS[state] ?? { tone: 'quiet', icon: 'info', word: state }

export function StateBadge({ state }: { state: string }) {
  const { tone, icon, word } = lookOf(state)
  return (
    <span
      className={`badge ${tone === 'busy' && icon === 'spin' ? 'busy' : tone === 'busy' ? '' : tone}`}
      title={word}
    >
      <Icon name={icon} size={12} />
      <span className="word">{word}</span>
    </span>
  )
}

/** Icon of a state; screen readers say the word for which a list has no room. */
export function StateIcon({ state }: { state: string }) {
  const { tone, icon, word } = lookOf(state)
  return (
    <span
      className={`state-icon ${icon === 'spin' || tone !== 'busy' ? tone : 'quiet'}`}
      title={word}
    >
      <Icon name={icon} />
      <span className="hidden">{word}</span>
    </span>
  )
}

const SEVERITY: Readonly<Record<string, Look>> = {
  CRITICAL: { tone: 'bad', icon: 'alert', word: 'Critical' },
  ERROR: { tone: 'bad', icon: 'cross', word: 'Error' },
  WARN: { tone: 'warn', icon: 'alert', word: 'Warning' },
  INFO: { tone: 'quiet', icon: 'info', word: 'Info' },
}

export function Severity({ severity }: { severity: string }) {
  const { tone, icon, word } = SEVERITY[severity] ?? lookOf(severity)
  return (
    <span className={`badge ${tone}`}>
      <Icon name={icon} size={12} />
      <span className="word">{word}</span>
    </span>
  )
}
