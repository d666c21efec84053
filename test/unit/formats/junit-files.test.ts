import { readJunit } from '../../../formats/junit/junit.ts'

const tests = (text: string) => readJunit(text).tests
const testcase = (inner: string) =>
  `<testsuite name="s"><testcase name="a">${inner}</testcase></testsuite>`

test.each([
  ['[[ATTACHMENT|/work/shots/a b.png]]', ['/work/shots/a b.png']],
  ['[[ATTACHMENT|a.png|{"type": "img"}]]', ['a.png']],
  [
    'text [[ATTACHMENT|rows[1].txt]] more [[ATTACHMENT|b.png]]\n[[ATTACHMENT|c.png]]',
    ['rows[1].txt', 'b.png', 'c.png'],
  ],
  ['[[ATTACHMENT|]] [[ATTACHMENT|a\n]]', []],
])('output %j names the files %j', (output, files) => {
  for (const place of ['system-out', 'system-err', 'failure'])
    expect(tests(testcase(`<${place}>${output}</${place}>`))).toMatchObject([{ files }])
})

test('marks of files without an end take no time', () => {
  const output = '[[ATTACHMENT|a'.repeat(200_000)
  expect(tests(testcase(`<system-out>${output}</system-out>`))).toMatchObject([{ files: [] }])
})

test.each([
  ['attachment', true],
  ['testrail_attachment', true],
  ['attachment_1', true],
  ['attachments', true],
  ['attachmentStyle', false],
  ['Category', false],
])('a property %s names a file: %s', (name, isFile) => {
  const properties = `<properties><property name="${name}" value="a.png"/></properties>`
  const inner = `<testsuite name="s">${properties}<testcase name="a"/></testsuite>`
  for (const text of [testcase(properties), inner])
    expect(tests(text)).toMatchObject([{ files: isFile ? ['a.png'] : [] }])
})

test('output of a suite whose tests were all skipped, and of one without a test, is kept', () => {
  const [test] = tests(`<testsuites><testsuite name="s"><testcase name="a"><skipped/></testcase>
    <system-out>no server [[ATTACHMENT|a.log]]</system-out></testsuite>
    <testsuite name="broken" tests="0"><system-err>cannot load [[ATTACHMENT|b.log]]</system-err></testsuite>
    </testsuites>`)
  for (const words of ['Output of broken:\ncannot load', 'Output of s:\nno server'])
    expect(test?.log).toContain(words)
  expect(test?.files.toSorted()).toEqual(['a.log', 'b.log'])
})

test('text in several pieces of CDATA is one', () => {
  const inner =
    '<failure message="m"><![CDATA[part ]]]]><![CDATA[> two]]> tail &amp; <![CDATA[<b>]]></failure>'
  expect(tests(testcase(inner))).toMatchObject([{ log: 'm\npart ]]> two tail & <b>' }])
})

test.each([
  ['&amp;lt;b&amp;gt; &lt;b&gt;', '&lt;b&gt; <b>'],
  ['&amp;#65; &#65; &#x41;', '&#65; A A'],
  ['&amp;#18446744073709551516;', '&#18446744073709551516;'],
  ['&#1114112; &unknown;', '&#1114112; &unknown;'],
])('references to signs are read once: %s, as of a test of escaping', (written, text) => {
  const inner = `<failure message="${written}">${written}</failure>`
  expect(tests(testcase(inner))).toMatchObject([{ message: text, log: text }])
})

test('what PHPUnit calls risky, its warnings, and a todo that passes for prove are good, and stand in the log', () => {
  const risky =
    '<error type="PHPUnit\\Framework\\RiskyTestError">This test did not perform any assertions</error>'
  const warning = '<warning type="PHPUnit\\Framework\\Warning">careful</warning>'
  for (const [inner, log] of [
    [risky, 'This test did not perform any assertions'],
    [warning, 'careful'],
    ['<error type="TodoTestSucceeded" message="later">ok 2</error>', 'later\nok 2'],
  ])
    expect(tests(testcase(`${inner}`))).toMatchObject([{ state: 'COMPLETED', message: '', log }])
})

test('Playwright: the project tells tests of one name apart, and a property has the reason of a skip', () => {
  const of = (project: string) =>
    `<testsuite name="a.spec.ts" timestamp="2026-11-27T10:00:00.000Z" hostname="${project}" tests="2" failures="0" skipped="1" time="1" errors="0">
      <testcase name="works" classname="a.spec.ts" time="0.5"/>
      <testcase name="later" classname="a.spec.ts"><properties><property name="fixme" value="no server"/></properties><skipped/></testcase>
    </testsuite>`
  expect(tests(`<testsuites>${of('firefox')}${of('chromium')}</testsuites>`)).toMatchObject([
    { name: 'a.spec.ts works [firefox]', state: 'COMPLETED' },
    { name: 'a.spec.ts later [firefox]', state: 'SKIPPED', message: 'no server' },
    { name: 'a.spec.ts works [chromium]' },
    { name: 'a.spec.ts later [chromium]' },
  ])
  expect(tests(of('firefox'))).toMatchObject([{ name: 'a.spec.ts works' }, {}])
})

test('Testem: errors of a run without a failure are todos that fail as announced', () => {
  const run = (failures: number) =>
    `<testsuite name="Testem Tests" tests="2" skipped="0" todo="1" failures="${failures}" time="1">
      <testcase classname="Chrome 156.0" name="adds"/>
      <testcase classname="Chrome 156.0" name="known"><error message="was false"/></testcase></testsuite>`
  expect(tests(run(0))).toMatchObject([
    { name: 'Chrome adds', state: 'COMPLETED' },
    { name: 'Chrome known', state: 'SKIPPED', message: 'was false' },
  ])
  expect(tests(run(1))[1]).toMatchObject({ state: 'ERROR', message: 'was false' })
})
