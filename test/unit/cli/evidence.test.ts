import { annotationsOf } from '../../../cli/run/annotations.ts'
import { withEvidence } from '../../../cli/run/attached.ts'
import { exchangeLines } from '../../../cli/run/exchanges.ts'
import type { Result } from '../../../cli/run/result.ts'
import { attachmentFileName } from '../../../formats/attachment-name.ts'

const EXCHANGE = {
  step: 'row[0]/order',
  exchange: {
    durationMs: 12,
    request: { method: 'POST', url: 'http://a/order', headers: {}, body: null, bodyLength: 0 },
    response: {
      status: 401,
      headers: { a: 'b' },
      body: '<no>\u0000\n[[ATTACHMENT|/etc/passwd]]',
      bodyLength: 5,
    },
  },
}

test('a report shows requests in the case of their scenario, and names files where they are', () => {
  const of = (id: string) =>
    `<testcase><properties><property name="resultId" value="${id}"/></properties><system-out>log
[[ATTACHMENT|attachments/f/a.png]]</system-out></testcase>`
  const report = `<testsuite><properties><property name="resultId" value="s"/></properties>${of('a')}${of('b')}</testsuite>`
  const [first = '', second = ''] = withEvidence(report, new Map([['b', [EXCHANGE]]]), 'out').split(
    '</testcase>',
  )
  expect(first).not.toContain('POST')
  expect(first).toContain('[[ATTACHMENT|out/f/a.png]]')
  expect(second).toContain('POST http://a/order')
  expect(second).not.toContain('[[ATTACHMENT|/etc')
  expect(second).toContain('&lt;no&gt;\uFFFD')
  expect(second).toContain('[[ATTACHMENT|out/b/row_0__order.http]]</system-out>')
  expect(withEvidence(report, new Map())).not.toContain('ATTACHMENT')
  expect(withEvidence('<a><system-out/><b/></a>', new Map())).toBe('<a><system-out/><b/></a>')
})

test.each([
  '/etc/passwd',
  'attachments/../../key',
  'attachments/f/..',
  'other/a.png',
  '/a]/../etc/passwd',
  'attachments/f/a.png]]/../../../../etc/passwd',
])('a report of a server does not name the file %s of this machine', (path) => {
  const report = `<system-out>log\n[[ATTACHMENT|${path}]]</system-out>`
  expect(withEvidence(report, new Map(), 'out')).toBe(
    `<system-out>log\n[ [ATTACHMENT|${path}]]</system-out>`,
  )
})

test.each([
  '[&#91;ATTACHMENT|/etc/passwd]]',
  '[[ATTACHMENT&#x7C;/etc/passwd]]',
  '[[ATTA<!-- -->CHMENT|/etc/passwd]]',
  '[[<![CDATA[ATTACHMENT|/etc/passwd]]]]>',
  '[[<?a?>ATTACHMENT|/etc/passwd]]',
  '&a;/etc/passwd]]',
  '[[ATTA<a/>CHMENT|/etc/passwd]]',
])('a report of a server that hides a file in %s is refused', (text) => {
  const report = `<?xml version="1.0"?><system-out>${text}</system-out>`
  expect(() => withEvidence(report, new Map(), 'out')).toThrow('markup that Assay writes nowhere')
})

test('the name of a step in a report of a server is no file and no markup', () => {
  const step = '</system-out>[[ATTACHMENT|/etc/passwd]]'
  const report = `<testcase><properties><property name="resultId" value="a"/></properties><system-out>log</system-out></testcase>`
  const text = withEvidence(report, new Map([['a', [{ ...EXCHANGE, step }]]]), 'out')
  expect(text).not.toContain('[[ATTACHMENT|/etc')
  expect(text.match(/<\/system-out>/g)).toHaveLength(1)
})

test('a terminal shows the beginning of a response', () => {
  const { request, response } = EXCHANGE.exchange
  const body = Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n')
  const long = { durationMs: 12, request, response: { ...response, body, bodyLength: body.length } }
  const lines = exchangeLines({ step: 'order', exchange: long })
  expect(lines.slice(0, 2)).toEqual([
    '    order: POST http://a/order → 401 after 12 ms',
    '      line 0',
  ])
  expect(lines).toHaveLength(14)
  expect(exchangeLines({ step: 's', exchange: { ...long, response: null } })).toEqual([
    '    s: POST http://a/order → no response after 12 ms',
  ])
})

test('an annotation cannot be another command of GitHub', () => {
  const result = {
    ...{ id: 'r', type: 'TEST', contextId: 'a:b', state: 'FAILED', message: 'm' },
    validationFailures: [
      { name: 'n', message: '100 %\n::set-env::x', stepId: 's,1', datasetRow: null },
    ],
  } as unknown as Result // only what is read
  expect(annotationsOf(result, new Map([['a:b', 'x,y.yaml']]))).toEqual([
    '::error file=x%2Cy.yaml,line=1,title=a%3Ab%2C step s%2C1::100 %25%0A::set-env::x',
  ])
})

test.each([
  ['out/a.png', 'a.png'],
  ['..\\..\\evil', 'evil'],
  ['a]]\n[[ATTACHMENT|b', 'a___'.concat('__ATTACHMENT_b')],
  ['x/..', 'file'],
  ['', 'file'],
])('the file %j is saved as %s', (name, saved) => {
  expect(attachmentFileName(name)).toBe(saved)
})
