import { readJunit } from '../../../formats/junit/junit.ts'
import { isZone, reportTime } from '../../../formats/junit/report-time.ts'
import { readCucumber } from '../../../formats/results/cucumber.ts'

const tests = (text: string, options = {}) => readJunit(text, options).tests
const suite = (inner: string, more = '') => `<testsuite name="s" ${more}>${inner}</testsuite>`

test.each([
  [
    ['0,160', '1,234.56', '80.803us', '1,234'],
    [160, 1_234_560, Number.NaN, 1_234],
  ],
  [
    ['12,5', '1234,567', '1.234,56', '1,234,567.5'],
    [12_500, 1_234_567, 1_234_560, 1_234_567_500],
  ],
  [
    ['1,234', '0.5', ''],
    [1_234_000, 500, Number.NaN],
  ],
  [
    ['1,234', '1.5s', '-1', '1e-3'],
    [1_234_000, Number.NaN, -1_000, 1],
  ],
])('times %j of a report are %j ms', (times, expected) => {
  const text = suite(times.map((time, at) => `<testcase name="t${at}" time="${time}"/>`).join(''))
  expect(tests(text).map(({ durationMs }) => durationMs && +durationMs.toFixed(6))).toEqual(
    expected,
  )
})

test.each([
  ['27 Nov 2026 10:00:00 GMT', '2026-11-27T10:00:00.000Z'],
  ['Fri, 27 Nov 2026 10:00:00 GMT', '2026-11-27T10:00:00.000Z'],
  ['Fri Nov 27 10:00:00 UTC 2026', '2026-11-27T10:00:00.000Z'],
  ['2026-11-27 10:00:00 UTC', '2026-11-27T10:00:00.000Z'],
  ['2026-11-27T10:00:00,250', '2026-11-27T10:00:00.250Z'],
  ['2026-11-27T10:00:00+09', '2026-11-27T01:00:00.000Z'],
  ['2026-11-27T10:00:00.123456+09:00', '2026-11-27T01:00:00.123Z'],
  ['0001-01-01T00:00:00Z', null],
  ['1970-01-01T00:00:00', null],
  ['2000-01-01T00:00:00', null],
  ['2099-01-01T00:00:00', null],
])('a report that says %s means %s', (text, time) => {
  expect(reportTime(text)).toBe(time)
})

test('times without a zone are those of one that is named, in all formats', () => {
  const at = '2026-07-27T10:00:00'
  for (const [zone, time] of [
    [undefined, '2026-07-27T10:00:00.000Z'],
    ['+09:00', '2026-07-27T01:00:00.000Z'],
    ['America/New_York', '2026-07-27T14:00:00.000Z'],
  ] as const) {
    const junit = tests(suite('<testcase name="a"/>', `timestamp="${at}"`), { zone })
    const steps = [{ result: { status: 'passed' } }]
    const elements = [{ type: 'scenario', start_timestamp: at, steps }]
    const cucumber = readCucumber(JSON.stringify([{ elements }]), { zone })
    expect([junit[0]?.started, cucumber[0]?.started]).toEqual([time, time])
  }
  expect(['Europe/Berlin', '+09:00', 'Europe/Nowhere'].map(isZone)).toEqual([true, true, false])
})

test('a suite without a true time takes that of the first that has one', () => {
  const times = ['1970-01-01T00:00:00', '2026-11-27T10:00:00', '0001-01-01T00:00:00']
  const suites = times.map((at, nth) => suite(`<testcase name="${nth}"/>`, `timestamp="${at}"`))
  const starts = tests(`<testsuites>${suites.join('')}</testsuites>`).map(({ started }) => started)
  expect(starts).toEqual(Array(3).fill('2026-11-27T10:00:00.000Z'))
})

test.each([
  [
    'a failure and an error',
    `<testcase classname="a" name="b" time="0.1"><failure message="assert 1 == 2">trace A</failure>
      <error message="teardown: port in use">trace B</error></testcase>`,
    ['assert 1 == 2', 'trace A', 'teardown: port in use', 'trace B'],
  ],
  [
    'a test, and behind it its teardown, as pytest does',
    `<testcase classname="a" name="b" time="0.1"/><testcase classname="a" name="b" time="0.1">
      <error message="failed on teardown with &quot;port in use&quot;">trace B</error></testcase>`,
    ['failed on teardown with "port in use"', 'trace B'],
  ],
  [
    'a skip and an error',
    `<testcase classname="a" name="b"><skipped message="needs db">why A</skipped>
      <error message="teardown: port in use">trace B</error></testcase>`,
    ['needs db', 'why A', 'teardown: port in use', 'trace B'],
  ],
])('%s are one test with all that is said', (_, inner, parts) => {
  const [test, ...more] = tests(suite(inner))
  expect(more).toEqual([])
  expect(test).toMatchObject({ name: 'a b', state: 'ERROR' })
  for (const part of parts) expect(`${test?.message}\n${test?.log}`).toContain(part)
})

const TWICE = `<testcase classname="p" name="A" time="0.1"><failure message="M">boom</failure></testcase>
  <testcase classname="p" name="A" time="0.2"/>`

test.each([
  [
    'gotestsum runs again',
    `<testsuite name="example.org/p">${TWICE.replace('"M"', '"Failed"')}</testsuite>`,
    {},
  ],
  [
    'go-junit-report names',
    `<properties><property name="go.version" value="1"/></properties>${TWICE}`,
    {},
  ],
  ['its user calls reruns', TWICE, { reruns: true }],
])('a test of two elements that %s has a try', (_, inner, options) => {
  expect(tests(suite(inner), options)).toMatchObject([
    {
      name: 'p A',
      state: 'COMPLETED',
      durationMs: 200,
      tries: [{ state: 'FAILED', durationMs: 100 }],
    },
  ])
})

test('elements of one name that may be rows of data stay apart', () => {
  expect(tests(suite(TWICE))).toMatchObject([
    { name: 'p A', state: 'FAILED' },
    { name: 'p A (2)', state: 'COMPLETED' },
  ])
})

test('tries of Surefire and nextest have their stacks, output and times', () => {
  const inner = `<testcase name="a"><flakyFailure message="no" time="0.5" timestamp="2026-11-27T10:00:00Z">
    <stackTrace>at X</stackTrace><system-out>words</system-out></flakyFailure></testcase>`
  expect(tests(suite(inner))).toMatchObject([
    {
      state: 'COMPLETED',
      log: expect.stringMatching(/at X[\s\S]*words/),
      tries: [{ message: 'no', durationMs: 500, started: '2026-11-27T10:00:00.000Z' }],
    },
  ])
})

test('output of a suite and its files stand with its first bad test', () => {
  const text = `<testsuites><testsuite name="s"><properties><property name="k" value="v"/></properties>
    <system-out>before [[ATTACHMENT|shot.png]]</system-out><testcase classname="a" name="c"/>
    <testsuite name="inner"><testcase classname="a" name="b"><system-out>own output</system-out>
    <properties><property name="testrail_attachment" value="log.txt"/></properties>
    <failure message="m">trace text</failure></testcase><system-err>inner err</system-err></testsuite>
    </testsuite></testsuites>`
  const [, bad] = tests(text)
  expect(bad?.files).toEqual(['log.txt', 'shot.png'])
  for (const part of ['before', 'own output', 'inner err', 'trace text'])
    expect(bad?.log).toContain(part)
})

test.each([
  ['&#x1B;[31mexpected 2&#x1B;[0m got 3', 'expected 2 got 3'],
  ['\u001b[32mok\u001b[0m', 'ok'],
  ['B&#0;C', 'B\uFFFDC'],
  ['B\u0000C', 'B\uFFFDC'],
  ['B&#xD83D;C', 'B\uFFFDC'],
  ['#x1B[31mred#x1B[0m', 'red'],
  ['[31mred[39m', 'red'],
  ['rate(errors[5m]) of xs[30m]', 'rate(errors[5m]) of xs[30m]'],
])('the text %j is %j', (text, plain) => {
  const [test] = tests(
    suite(`<testcase name="${text}"><failure message="${text}">${text}</failure></testcase>`),
  )
  expect(test).toMatchObject({ name: `s ${plain}`, message: plain, log: plain })
})

test.each([
  [
    'in two suites have the suite behind it',
    `<testsuite name="chromium"><testcase classname="login" name="works"/></testsuite>
      <testsuite name="firefox"><testcase classname="login" name="works"/></testsuite>`,
    ['login works [chromium]', 'login works [firefox]'],
  ],
  [
    'in suites of one name have all of them',
    `<testsuite name="a"><testsuite name="x"><testcase classname="l" name="w"/></testsuite></testsuite>
      <testsuite name="b"><testsuite name="x"><testcase classname="l" name="w"/></testsuite></testsuite>`,
    ['l w [a › x]', 'l w [b › x]'],
  ],
  [
    'in two files have the file behind it',
    `<testsuite name="s"><testcase classname="l" name="w" file="a.js"/>
      <testcase classname="l" name="w" file="b.js"/></testsuite>`,
    ['l w [a.js]', 'l w [b.js]'],
  ],
  [
    'in one suite are numbered',
    '<testsuite name="s"><testcase name="w"/><testcase name="w"/></testsuite>',
    ['s w', 's w (2)'],
  ],
])('tests of one name %s', (_, inner, names) => {
  expect(tests(`<testsuites>${inner}</testsuites>`).map(({ name }) => name)).toEqual(names)
})

test.each([
  ['classname="fails" name="fails"', 'fails'],
  ['classname=" passes" name=" passes"', 'passes'],
  ['classname="Shop" name="Shop passes"', 'Shop passes'],
  ['classname="passes" name="Shop passes"', 'Shop passes'],
  ['classname="Shop" name="Shopping"', 'Shop Shopping'],
  ['classname="" name="passes"', 's passes'],
  ['classname="Chrome_1.Shop" name="Shop passes"', 'Chrome_1.Shop passes'],
])('a test with %s is %s', (attributes, name) => {
  expect(tests(suite(`<testcase ${attributes}/>`))).toMatchObject([{ name }])
})

test('the time of a run in the name of a suite does not change names', () => {
  const text = '<testsuite name="shop.Cart-20261128025753"><testcase name="a"/></testsuite>'
  expect(tests(text)).toMatchObject([{ name: 'shop.Cart a' }])
})

test.each([
  [
    'gotestsum',
    '<failure message="Failed">=== RUN TestA\n    a_test.go:11: wrong price\n--- FAIL: TestA</failure>',
    'a_test.go:11: wrong price',
  ],
  [
    'Boost',
    '<failure message="failure">\nASSERTION FAILURE:\n- file   : b.cpp\n- message: check 1 == 2</failure>',
    'check 1 == 2',
  ],
  [
    'behave',
    '<failure message="None">\nFailing step: When x\nYou can implement it</failure>',
    'You can implement it',
  ],
  [
    'JUnit',
    '<failure type="java.lang.AssertionError">java.lang.AssertionError\n\tat X.y(X.java:1)</failure>',
    'java.lang.AssertionError',
  ],
  [
    'libtest',
    "<failure type='assert'/><system-out>first\nthread 'a' panicked at src/lib.rs:7:43:\nleft is right\nend</system-out>",
    'left is right',
  ],
  [
    'CTest',
    '<failure message=""/><system-out>begins\nthe price is wrong\n</system-out>',
    'the price is wrong',
  ],
  [
    'tap-xunit',
    '<failure>\n  ---\n    operator: equal\n    stack: Error: no\n    at a.js:3\n  ...</failure>',
    'operator: equal\nstack: Error: no',
  ],
  [
    'AVA 7.0 by tap-xunit 2.4',
    '<failure>\n  ---\n    name: AssertionError\n    assertion: t.is()\n    message: sum differs\n    at: a.js:3\n  ...</failure>',
    'sum differs',
  ],
  [
    'a converter of TAP that keeps its texts of several lines',
    '<failure>---\nmessage: |-\n  sum differs\n  by one\n...</failure>',
    'sum differs\nby one',
  ],
  [
    'pytest 7.2 for a file that cannot be loaded',
    `<error message="collection failure">ImportError while importing test module '/home/ci/test_a.py'.\nTraceback:\ntest_a.py:1: in &lt;module&gt;\n    import gone\nE   ModuleNotFoundError: No module named 'gone'</error>`,
    "ModuleNotFoundError: No module named 'gone'",
  ],
  [
    'Criterion 2.4',
    '<failure type="assert" message="2 assertion(s) failed.">a.c:6: differs&#10;a.c:7: sum 1&#10;</failure>',
    'a.c:6: differs\na.c:7: sum 1',
  ],
  [
    'Criterion 2.4 for a test that ends the program',
    '<failure type="assert" message="0 assertion(s) failed."/>',
    '0 assertion(s) failed.',
  ],
  [
    'PHPUnit',
    '<failure type="PHPUnit\\Framework\\ExpectationFailedException">ShopTest::testFails\nwrong price\nFailed asserting that 119.0 matches expected 120.\n\n/home/ci/shop/tests/ShopTest.php:7</failure>',
    'wrong price\nFailed asserting that 119.0 matches expected 120.',
  ],
  [
    'PHPUnit without a class',
    '<error type="PHPUnit\\Framework\\Error">Error\nThe data provider is invalid.\n\n/home/ci/shop/ShopTest.php:22\n</error>',
    'The data provider is invalid.',
  ],
  [
    'bats 1.8',
    '<failure type="failure">(from function `check\' in file a.bash, line 3,\n in test file ./shop.bats, line 5)\n  `check 1\' failed\nprice differs</failure>',
    "`check 1' failed\nprice differs",
  ],
  ...(
    [
      ['--\nExit Code: 1\n', 'Exit Code: 1'],
      [
        '--\nExit Code: -9\nTimeout: Reached timeout of 1 seconds\n',
        'Timeout: Reached timeout of 1 seconds',
      ],
      ['--\nExit Code: 1\n\nCommand Output (stdout):\n--\nprice\n\n--\n', 'price'],
      [
        '--\nExit Code: 1\n\nCommand Output (stdout):\n--\nout\n\n--\nCommand Output (stderr):\n--\na.txt:3:1: error: no price\n\n--\n',
        'a.txt:3:1: error: no price',
      ],
    ] as const
  ).map(([end, message]): [string, string, string] => [
    'lit of LLVM 15',
    `<failure>Script:\n--\n: 'RUN: at line 1';   sell a.txt\n${end}</failure>`,
    message,
  ]),
  [
    'EUnit',
    '<error type="error">\n::in function shop_tests:fails_test/0 (shop_tests.erl, line 4)\nin call from eunit_proc:run_test/1 (eunit_proc.erl, line 531)\n**error:{assertEqual,[{expected,5},\n              {value,4}]}\n    </error>',
    'error:{assertEqual,[{expected,5},\n              {value,4}]}',
  ],
  [
    'Dart',
    '<failure message="1 failure, see stacktrace for details">Failure:\nExpected: &lt;2&gt;\n  Actual: &lt;3&gt;\n\ntest/shop_test.dart 5:5 main.&lt;fn&gt;</failure>',
    'Expected: <2>',
  ],
  [
    'Cucumber of Ruby',
    '<failure message="failed costs 2" type="failed">\n<![CDATA[Scenario: costs 2\n\nGiven a shop\n\nMessage:\n]]>\n<![CDATA[expected: 2\n     got: 3 (RSpec::Expectations::ExpectationNotMetError)\nfeatures/shop.feature:7:in `it costs 2\']]></failure>',
    'expected: 2\n     got: 3 (RSpec::Expectations::ExpectationNotMetError)',
  ],
  [
    'Testtools',
    '<failure type="testtools.testresult.real._StringException">testtools.testresult.real._StringException: Traceback (most recent call last):\n  File "a.py", line 4, in test_fails\n    self.assertEqual(3, 2)\nAssertionError: 3 != 2 : wrong price\n</failure>',
    'AssertionError: 3 != 2 : wrong price',
  ],
  [
    'CppUTest',
    '<failure message="a.cpp:5: expected &lt;2&gt;{newline}\tbut was  &lt;3&gt;" type="AssertionFailedError"/>',
    'a.cpp:5: expected <2>\n\tbut was  <3>',
  ],
  [
    'HUnit',
    '<failure>test/Main.hs:10:\nprice differs\nexpected: 2\n but got: 3</failure>',
    'price differs\nexpected: 2\n but got: 3',
  ],
  [
    'Testem',
    '<error message="Assertion Failed"><![CDATA[Expected:\n    1\n\nResult:\n    2\n\nSource:\n    at shop.js:9]]></error>',
    'Expected: 1\nResult: 2',
  ],
  [
    'jest-junit',
    '<failure>{"message":"","stack":"Error: cannot close\\n    at shop.test.js:3:9"}</failure>',
    'Error: cannot close',
  ],
  ['a tool with other JSON', '<failure>{"message":"x"</failure>', '{"message":"x"'],
  [
    'jest-junit-reporter',
    '<failure message="Error: no price&#10;&#10;Expected: 5&#10;    at a.test.js:3:37&#10;    at b.js:1:1" type="AssertionError"/>',
    'Error: no price\n\nExpected: 5',
  ],
  [
    'unittest-xml-reporting',
    '<error message="Failed to import a&#10;Traceback:&#10;  File &quot;a.py&quot;, line 1&#10;SyntaxError: invalid syntax"/>',
    'Failed to import a\nTraceback:\n  File "a.py", line 1\nSyntaxError: invalid syntax',
  ],
  [
    'an announced failure of unittest-xml-reporting',
    `<skipped type="XFAIL" message="expected failure: (&lt;class 'AssertionError'&gt;, AssertionError('known'), &lt;traceback object at 0x7f4bbfb87680&gt;)"/>`,
    "expected failure: AssertionError('known')",
  ],
  ['node:test without a reason', '<skipped type="skipped" message="true"/>', ''],
  ['node:test for a todo', '<skipped type="todo" message="true"/>', 'todo'],
  ['none', '<failure message="Failed"/>', 'Failed'],
])('a message of %s says why', (_, inner, message) => {
  expect(tests(suite(`<testcase name="a">${inner}</testcase>`))).toMatchObject([{ message }])
})

test.each([
  ['org.testng.SkipException', 'not now'],
  ['java.lang.Throwable', 'Method a() depends on not successfully finished methods'],
  ['org.opentest4j.TestAbortedException', 'assumption'],
])('an error that %s writes for a skip is one', (type, message) => {
  const inner = `<testcase name="a"><error type="${type}" message="${message}"/></testcase>`
  expect(tests(suite(inner))).toMatchObject([{ state: 'SKIPPED', message }])
})

test.each([
  ['failed', 'FAILED'],
  ['error', 'ERROR'],
  ['skipped', 'SKIPPED'],
  ['passed', 'COMPLETED'],
])('a test without an element for it is by its status %s', (status, state) => {
  expect(tests(suite(`<testcase name="a" status="${status}"/>`))).toMatchObject([{ state }])
})

test('a todo that fails is skipped, as QUnit 3 and tap-junit 5 write it', () => {
  const inner = '<failure message="true" type="todo"/>'
  expect(tests(suite(`<testcase name="a">${inner}</testcase>`))).toMatchObject([
    { state: 'SKIPPED', message: 'todo' },
  ])
})

test.each([
  ['', ''],
  ['\uFEFF<?xml version="1.0"?>\n', '\n<?xml version="1.0" encoding="utf-8"?>\n'],
  ['<!DOCTYPE testsuite>', '<!DOCTYPE testsuite SYSTEM "a.dtd">'],
])('several files in one are read one after the other: %j', (first, second) => {
  const text = `${first}${suite('<testcase name="a"/>')}${second}${suite('<testcase name="b"/>')}`
  expect(tests(text)).toMatchObject([{ name: 's a' }, { name: 's b' }])
})

test('lines that npm and mocha 12 print around a report on standard output are left out', () => {
  const report = suite('<testcase name="a"/>')
  const text = `\n> shop@1.0.0 test\n<hello> & more\n${report}\nnpm error <code> 1\n`
  expect(tests(text)).toMatchObject([{ name: 's a' }])
})

test('what is quoted in a log is no document', () => {
  const log = '<![CDATA[<?xml version="1.0"?><a/>]]>'
  const text = suite(`<testcase name="a"><system-out>${log}</system-out></testcase>`)
  const [test] = tests(text + text)
  expect(test?.log).toBe('<?xml version="1.0"?><a/>')
})

test('another format is refused by its root', () => {
  expect(() => readJunit('<testng-results/>')).toThrow('its root is testng-results, no testsuite')
})

test.each([
  ['name="cart adds" classname="spec/shop_spec.lua:12"', 'spec/shop_spec.lua cart adds'],
  ['name="#12 the sum"', 's the sum'],
  ['name="#12"', 's #12'],
  ['name="#12 the sum" classname="Cart"', 'Cart #12 the sum'],
  ['name="adds" classname="shop:12"', 'shop:12 adds'],
])('the place of a test in its file is no part of its name: %s', (attributes, name) => {
  expect(tests(suite(`<testcase ${attributes}/>`))).toMatchObject([{ name }])
})

test('a message that is the text of a fault ends before the stack of Lua', () => {
  const text = 's.lua:3: expected 2\nstack traceback:\n\ts.lua:3: in function'
  expect(tests(suite(`<testcase name="a"><failure>${text}</failure></testcase>`))).toMatchObject([
    { message: 's.lua:3: expected 2', log: text },
  ])
})

test.each([
  ['{"tests": []}', 'it is no XML, but begins with "{\\"tests\\": []}"'],
  ['> shop@1 test\n', 'it is no XML, but begins with "> shop@1 test"'],
  ['<testsuite', 'it is no XML: Missing equals sign before attribute value'],
  ['<testsuite/><testsuite/><other/>', 'its root is other, no testsuite'],
  ['<testsuite/><testsuite>', 'it has several roots'],
])('%j says what is wrong, in one line', (text, reason) => {
  const reading = () => readJunit(text)
  expect(reading).toThrow(reason)
  expect(reading).toThrow(/^[^\n]*$/)
})

test('ends of lines of Windows are those of others, as in the file of HTMLHint 1', () => {
  const text = suite(
    '\r\n<testcase name="a"><failure message="Found 1 error"><![CDATA[L1 |a\r\nL2 |b&#13;]]></failure></testcase>\r\n',
  )
  expect(tests(text)).toMatchObject([{ log: 'Found 1 error\nL1 |a\nL2 |b&#13;' }])
})

test('XML 1.1, as Jenkins writes it, is read', () => {
  const text = `<?xml version='1.1' encoding='UTF-8'?>\n${suite('<testcase name="a"/>')}`
  expect(tests(text)).toMatchObject([{ name: 's a' }])
})

test.each(['', ' \n'])('an empty file %j is said to be empty', (text) => {
  expect(() => readJunit(text)).toThrow('it is empty')
})

test('Common Test says in the text alone why a test failed or was skipped', () => {
  const said = (word: string) => `message="Test adds in shop_SUITE ${word}!"`
  const text = suite(
    `<testcase name="a"><failure ${said('failed')} type="crash">{{badmatch,3},\n [{s,a,1}]}</failure></testcase>
     <testcase name="b"><skipped ${said('skipped')}>{tc_user_skip,"not yet"}</skipped></testcase>`,
  )
  expect(tests(text)).toMatchObject([
    { state: 'FAILED', message: '{{badmatch,3},' },
    { state: 'SKIPPED', message: '{tc_user_skip,"not yet"}' },
  ])
})

test('a comment of another test is no reason, as tap-junit 5 writes the last one into each test', () => {
  const text = (type: string) =>
    suite(
      `<testcase name="a"><failure message="" type="${type}"/><system-out># another test</system-out></testcase>`,
    )
  expect(tests(text('fail'))).toMatchObject([{ message: 'The report names no reason' }])
  expect(tests(text('other'))).toMatchObject([{ message: '# another test' }])
})

test('CxxTest has the time of a suite in its date', () => {
  const text = suite('<testcase name="a"/>', 'date="Fri Nov 27 10:00:00 2026"')
  expect(tests(text)).toMatchObject([{ started: '2026-11-27T10:00:00.000Z' }])
})

test('nose2 takes the last point of what failed for a class for the end of the class', () => {
  const text = suite('<testcase classname="setUpClass (shop" name="Cart)"/>')
  expect(tests(text)).toMatchObject([{ name: 'setUpClass (shop.Cart)' }])
})

test('OUnit has the place of a test in its name, and skips in its output alone', () => {
  const read = (property: string) =>
    suite(
      `<properties><property name="${property}" value="false"/></properties>
       <testcase name="shop:0:adds" classname="shop:0:adds"/>
       <testcase name="shop:11:deep:0:adds" classname="shop:11:deep:0:adds"/>
       <testcase name="shop:2:adds" classname="shop:2:adds"/>
       <system-out>2026-11-30T07:57:09+00:00 vm#00 W: Skip test shop:2:adds: later: soon.</system-out>`,
    )
  expect(tests(read('results_style_1_X'))).toMatchObject([
    { name: 'shop:adds', state: 'COMPLETED' },
    { name: 'shop:deep:adds', state: 'COMPLETED' },
    { name: 'shop:adds (2)', state: 'SKIPPED', message: 'later: soon' },
  ])
  expect(tests(read('other'))).toMatchObject([
    { name: 'shop:0:adds' },
    { name: 'shop:11:deep:0:adds' },
    { name: 'shop:2:adds', state: 'COMPLETED' },
  ])
})

test('TAP::Harness::JUnit numbers all tests behind the first equal one', () => {
  const read = (before: string) =>
    tests(
      `<testsuite name="t" errors="0" failures="0" skipped="0" tests="4" time="1">${before}
         <testcase name="a"/><testcase name="a (2)"/><testcase name="b (2)"/><testcase name="c (12)"/><testcase name="d (1)"/>
       </testsuite>`,
    ).map(({ name }) => name)
  expect(read('<system-out/>')).toEqual(['t a', 't a (2)', 't b', 't c', 't d (1)'])
  expect(read('')).toEqual(['t a', 't a (2)', 't b (2)', 't c (12)', 't d (1)'])
})

test.each([
  ['signs of Perl in place of a colour', '<failure message="&lt;1b&gt;[31mwrong&lt;1b&gt;[0m"/>'],
  [
    'a message of mypy that says no more',
    '<failure message="mypy produced messages">wrong</failure>',
  ],
])('%s', (_, inner) => {
  expect(tests(suite(`<testcase name="a">${inner}</testcase>`))).toMatchObject([
    { message: 'wrong' },
  ])
})
