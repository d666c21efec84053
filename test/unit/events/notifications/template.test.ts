import {
  BODY_NAMES,
  checkBodyTemplate,
  checkTemplate,
  filledBody,
  filledText,
  TEXT_NAMES,
} from '../../../../platform/notification-template.ts'
import {
  linked,
  type NotificationBody,
} from '../../../../subgraphs/events/notifications/notification.ts'
import { slackBody } from '../../../../subgraphs/events/notifications/slack.ts'
import { bodyValues, textValues } from '../../../../subgraphs/events/notifications/text.ts'

const event = {
  ...{ id: '1', title: 'Disk "a" <full>', message: null, severity: 'ERROR', status: 'OPEN' },
  ...{ eventClass: null, source: { ref: 'db-1', type: 'host', name: null } },
}
const body: NotificationBody = {
  rule: { id: 'r', name: 'Disks', text: null },
  group: { 'source.ref': 'db-1' },
  reason: 'first',
  changes: [{ event, kinds: ['OPENED'], from: null, isFlapping: false }],
  changesTotal: 1,
  open: [],
  openTotal: 0,
  created: '2027-01-31T18:00:00.000Z',
}

test.each([
  ['{{event.title}} on {{group.source.ref}}', 'Disk "a" <full> on db-1'],
  ['{{ changesTotal }} of {{rule.name}}, {{reason}}', '1 of Disks, first'],
  ['{{event.message}}|{{event.source.name}}|{{group.region}}', '||'],
  ['no placeholder, {one} and }} {{', 'no placeholder, {one} and }} {{'],
])('the text %s is filled as %s', (template, text) => {
  expect(filledText(template, textValues(body))).toBe(text)
})

test('a value with a placeholder in it stays what it is', () => {
  const odd = {
    ...body,
    changes: [{ ...body.changes[0], event: { ...event, title: '{{rule.id}}' } }],
  }
  expect(filledText('{{event.title}}', textValues(odd as NotificationBody))).toBe('{{rule.id}}')
})

test('a body in JSON stays JSON whatever the values are, and a string that is one number becomes it', () => {
  const template = JSON.stringify({
    content: '**{{title}}**\n{{text}}',
    embeds: [{ title: '{{event.title}}', count: '{{changesTotal}}', fixed: true }],
  })
  expect(JSON.parse(filledBody(template, bodyValues(body)))).toEqual({
    content: '**Disks · db-1**\nERROR opened: Disk "a" <full> (db-1)',
    embeds: [{ title: 'Disk "a" <full>', count: 1, fixed: true }],
  })
})

test('each event stands above its page where the product knows its own address', () => {
  const more = { ...body, changes: [], changesTotal: 0, open: [event], openTotal: 1 }
  const url = 'https://assay.example/events/1'
  const texts = [body, more].map((each) => bodyValues(linked(each, 'https://assay.example')))
  expect(texts).toMatchObject([
    { text: `ERROR opened: Disk "a" <full> (db-1)\n  ${url}`, 'event.url': url },
    { text: `Still open: 1\n- Disk "a" <full> (db-1)\n  ${url}`, 'event.url': url },
  ])
  expect(bodyValues(body)['event.url']).toBeNull()
})

test('a filled text is cut, never within a character', () => {
  const long = { ...event, title: '😀'.repeat(15_000) }
  const values = textValues({
    ...body,
    changes: [{ ...body.changes[0], event: long }],
  } as NotificationBody)
  const text = filledText('x{{event.title}}', values)
  expect(text).toHaveLength(20_001)
  expect(text.isWellFormed()).toBe(true)
})

test('the text of a rule is escaped and cut as all else in a message to Slack', () => {
  const text = filledText('<!channel> {{event.title}} & {{event.title}}', textValues(body))
  const sent = JSON.parse(slackBody({ ...body, rule: { ...body.rule, text } })).text
  expect(sent).toContain('&lt;!channel&gt; Disk "a" &lt;full&gt; &amp; Disk "a" &lt;full&gt;')
})

test.each([
  ['{"text":"{{titel}}"}', /^template\/text: {{titel}} is unknown; expected .*title/],
  ['{"a":[{"b":"{{group.}}"}]}', /^template\/a\/0\/b: {{group\.}} is unknown/],
  ['{"text":{{title}}}', /^template: it is no JSON \(.*within its strings/],
  ['', /^template: it is no JSON/],
])('the template %s is refused with its place', (template, message) => {
  expect(() => checkBodyTemplate('template', template)).toThrow(message)
})

test('each name has a value, and a text cannot hold itself', () => {
  expect(Object.keys(bodyValues(body))).toEqual(expect.arrayContaining([...BODY_NAMES]))
  for (const name of BODY_NAMES) checkBodyTemplate('template', JSON.stringify([`{{${name}}}`]))
  checkTemplate('text', '{{group.properties.region}}', TEXT_NAMES)
  expect(() => checkTemplate('text', '{{text}}', TEXT_NAMES)).toThrow(/^text: {{text}} is unknown/)
})
