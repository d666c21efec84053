import type { TemplateValues } from '../../../platform/notification-template.ts'
import type { NotificationBody, ShownChange, ShownEvent } from './notification.ts'

const WORDS: Readonly<Record<string, string>> = {
  OPENED: 'opened',
  REOPENED: 'reopened',
  REGRESSED: 'regressed',
  RAISED: 'raised',
  ACKNOWLEDGED: 'acknowledged',
  RESOLVED: 'resolved',
  SILENCE_ENDED: 'still open after a silence',
  STEADY: 'steady',
}

/** Rule and group; the same for all notifications of a group. */
export function titleOf({ rule, group }: NotificationBody): string {
  const values = Object.values(group).filter((value) => value !== null)
  return [rule.name, ...values.map(String)].join(' · ').replaceAll(/\s+/g, ' ')
}

/** Values for the text of a rule. */
export function textValues(body: NotificationBody): TemplateValues {
  const { rule, group, reason, changesTotal, openTotal } = body
  const event = body.changes[0]?.event ?? body.open[0]
  const groups = Object.entries(group).map(([name, value]) => [
    `group.${name}`,
    String(value ?? ''),
  ])
  return {
    ...Object.fromEntries(groups),
    ...{ 'rule.id': rule.id, 'rule.name': rule.name, reason, changesTotal, openTotal },
    'event.title': event?.title ?? null,
    'event.message': event?.message ?? null,
    'event.severity': event?.severity ?? null,
    'event.status': event?.status ?? null,
    'event.source.ref': event?.source.ref ?? null,
    'event.source.name': event?.source.name ?? null,
  }
}

/** Values for the body of a channel. */
export const bodyValues = (body: NotificationBody): TemplateValues => ({
  ...textValues(body),
  title: titleOf(body),
  text: [...linesOf(body)].join('\n'),
  'rule.text': body.rule.text,
  created: body.created,
  'event.url': (body.changes[0]?.event ?? body.open[0])?.url ?? null,
})

/** Lines of a notification for people, without its title. */
export function* linesOf(body: NotificationBody): Generator<string> {
  if (body.rule.text) yield body.rule.text
  if (body.reason === 'test') yield 'This is a test: the channel works.'
  for (const change of body.changes) {
    yield changeLine(change)
    yield* linkLines(change.event)
  }
  const unshown = body.changesTotal - body.changes.length
  if (unshown > 0) yield `… and ${unshown} more changes`
  if (body.openTotal === 0) return
  yield `Still open: ${body.openTotal}`
  for (const event of body.open) {
    yield `- ${eventText(event)}`
    yield* linkLines(event)
  }
}

const linkLines = ({ url }: ShownEvent): string[] => (url ? [`  ${url}`] : [])

function changeLine({ event, kinds, isFlapping }: ShownChange): string {
  const words = isFlapping ? 'flapping' : wordsOf(kinds)
  return `${event.severity} ${words}: ${eventText(event)}`
}

/** `opened and resolved`; many changes are counted. */
function wordsOf(kinds: readonly string[]): string {
  const words = kinds.map((kind) => WORDS[kind] ?? kind.toLowerCase())
  return words.length > 3 ? `${words.at(-1)} (${words.length} changes)` : words.join(' and ')
}

const eventText = ({ title, source }: ShownEvent): string => {
  const name = source.name ?? source.ref
  return (name && !title.includes(name) ? `${title} (${name})` : title).replaceAll(/\s+/g, ' ')
}
