import { plainText } from '../plain-text.ts'
import { withoutFrames } from '../without-frames.ts'
import type { XmlElement } from '../xml.ts'
import type { TestState } from './reported-test.ts'
import { saidInTap } from './tap.ts'

/** The gravest first: of a skipped test whose teardown failed, pytest and GoogleTest write both. */
const STATES: Readonly<Record<string, TestState>> = {
  error: 'ERROR',
  failure: 'FAILED',
  skipped: 'SKIPPED',
}
/** Gravest first. */
export const GRAVITY: readonly TestState[] = ['ERROR', 'FAILED', 'SKIPPED', 'COMPLETED']

/** By the attribute of a test that has no element for it, as GoogleTest and CTest write disabled ones. */
const STATUSES: readonly [RegExp, TestState][] = [
  [/^(notrun|disabled|skip(ped)?|ignored|pending)$/i, 'SKIPPED'],
  [/^(fail(ed|ure)?)$/i, 'FAILED'],
  [/^(error(ed)?|broken)$/i, 'ERROR'],
]

/** Java has exceptions for it, which reporters of TestNG write as errors. */
const SKIP = /(^|[.$])(SkipException|TestAbortedException|AssumptionViolatedException|SkipTest)$/
const DEPENDS = /depends on not successfully finished (methods|groups)/
/** Good for PHPUnit and for TAP, whose reporters write them as errors. */
const GOOD = /^(PHPUnit\\Framework\\RiskyTestError|TodoTestSucceeded)$/
/** ESLint exits with 0 for a warning, which its reporter writes as a failure. */
const WARNING = /^line \d+, col \d+, Warning - /

export interface Verdict {
  state: TestState
  message: string
  /** Texts and stacks of all faults. */
  detail: string
}

/** @param output what the test wrote, which may be all there is */
export function verdictOf(element: XmlElement, output: string): Verdict {
  const { children, attributes } = element
  const announced = children.filter(isAnnounced)
  const judged = announced.length > 0 ? announced : children
  const { status = '' } = attributes
  const faults = judged
    .flatMap((fault) =>
      Object.hasOwn(STATES, fault.name) ? [{ fault, state: stateOf(fault, status) }] : [],
    )
    .sort((a, b) => GRAVITY.indexOf(a.state) - GRAVITY.indexOf(b.state))
  const [first] = faults
  const byStatus = isMarked(element)
    ? 'SKIPPED'
    : (STATUSES.find(([pattern]) => pattern.test(status))?.[1] ?? 'COMPLETED')
  const state = first?.state ?? byStatus
  const decisive = faults.filter((each) => (each.state === 'SKIPPED') === (state === 'SKIPPED'))
  const telling = new Set(decisive.map(({ fault }) => tellingOf(fault)).filter(Boolean))
  const isBad = state === 'FAILED' || state === 'ERROR'
  const isOfOthers = decisive.some(({ fault }) => isOfTapJunit(fault))
  const last = isBad && telling.size === 0 && !isOfOthers ? lastWords(output) : ''
  const words = last || [...telling].join('\n')
  const own = decisive[0] && !isOfOthers ? messageOf(decisive[0].fault) : ''
  const why = words || own || (state === 'SKIPPED' ? plainText(reasonIn(children)) : '')
  const said = [...faults.map(({ fault }) => fault), ...children.filter(isWarning)]
  return {
    state,
    message: state === 'COMPLETED' ? '' : why || (isBad ? UNSAID : ''),
    detail: said.map(saidBy).join('\n'),
  }
}

/** Its text is the last comment of the whole run: another test's reason. */
const isOfTapJunit = ({ attributes }: XmlElement): boolean => attributes.type === 'fail'

const UNSAID = 'The report names no reason'

/** As PHPUnit writes what fails no test. */
const isWarning = ({ name }: XmlElement): boolean => name === 'warning'

/** Value of the first property whose name matches. */
export const propertyIn = (children: readonly XmlElement[], pattern: RegExp): string | undefined =>
  children
    .filter(({ name }) => name === 'properties')
    .flatMap((properties) => properties.children)
    .find(({ attributes: { name = '' } }) => pattern.test(name))?.attributes.value

/** A test that node-tap left out is a good one with a property for it; it alone numbers tests first. */
const isMarked = ({ attributes, children }: XmlElement): boolean =>
  /^id,name,classname(,time)?$/.test(Object.keys(attributes).join()) &&
  propertyIn(children, /^(skip|todo)$/) !== undefined

/** Reason of a skip, as Playwright, node-tap and kyua write it; node-tap has the word true where there is none. */
function reasonIn(children: readonly XmlElement[]): string {
  const reason = propertyIn(children, /^(skip|todo|fixme)$/)
  const output = children.find(({ name }) => name === 'system-err')?.text ?? ''
  const [, told = ''] = /^Skipped result details\n-+\n\n(.+)/.exec(output) ?? []
  return reason === 'true' ? '' : (reason ?? told)
}

/** A failure that was announced, as todo of Node or by a tag of Catch2, is none. */
const isAnnounced = ({ name, attributes: { type, message = '' } }: XmlElement): boolean =>
  name === 'skipped' && (type === 'todo' || /tagged with !(mayfail|shouldfail)$/.test(message))

function stateOf({ name, attributes, text }: XmlElement, status: string): TestState {
  const { message = '', type = '' } = attributes
  if (GOOD.test(type) || WARNING.test(text)) return 'COMPLETED'
  // tap-junit writes a todo that fails as a failure of this kind.
  if (type === 'todo') return 'SKIPPED'
  // CTest writes a test that it could not begin as skipped, and counts it as failed; its own skips begin with SKIP_.
  if (name === 'skipped' && status === 'notrun' && message !== '' && !message.startsWith('SKIP_'))
    return 'FAILED'
  const isSkip = SKIP.test(type) || (type === 'java.lang.Throwable' && DEPENDS.test(message))
  return isSkip ? 'SKIPPED' : (STATES[name] ?? 'ERROR')
}

/** Words that say no more than that there is a fault; those of Dart, Terraform, pytest, mypy and Common Test, too. */
const EMPTY =
  /^(mypy produced messages|test \S+ in \S+ (failed|skipped)|((test|assertion|build|runtime) )*(fail(ed|ure)?|error|exception|unexpected exception|none|null|undefined|encountered an error|collection failure|\d+ (failure|error)s?, see stacktrace for details)?)[.!]?$/i

export const messageOf = (fault: XmlElement): string =>
  tellingOf(fault) ||
  wordsOf(fault).trim() ||
  (fault.attributes.type ?? '').replace(/^skipped$/, '')

/** CppUTest has a word for the end of a line; LuaUnit has the message in the place of the class, which has no blank. */
function wordsOf({ attributes }: Pick<XmlElement, 'attributes'>): string {
  const { type = '', message = /\s/.test(type) ? type : '' } = attributes
  // Reporters of Node and of TAP have that for a skip or todo without a reason.
  if (message === 'true' && /^(skipped|todo)$/.test(type)) return ''
  return plainText(message).replaceAll('{newline}', '\n').replace(TRIPLE, '$1$2')
}

/** unittest-xml-reporting has the exception of an announced failure as Python shows it, with an address that changes. */
const TRIPLE = /^(expected failure: )\(<class '[^']*'>, (.*), <traceback object at 0x[0-9a-f]+>\)$/s

/** Text of a fault; jest-junit has the error as JSON there where a hook failed behind the tests. */
function textOf({ text }: Pick<XmlElement, 'text'>): string {
  const [, json] = /^\s*(\{"message":.*\})\s*$/s.exec(text) ?? []
  if (json === undefined) return plainText(text)
  try {
    const { message, stack } = JSON.parse(json)
    return plainText(String(stack || message))
  } catch {
    return plainText(text)
  }
}

/** Testem has the values alone where an assertion says nothing else. */
const VALUES = /^Expected:\n\s*(\S.*?)\n+Result:\n\s*(\S.*?)\n+(?:Source:|(?![\s\S]))/s

/** Its message; else the part of its text that says most; empty where neither says anything. */
function tellingOf({ attributes, text }: XmlElement): string {
  const message = wordsOf({ attributes }).trim()
  // Cucumber of Ruby has the name of the test there.
  const isName = attributes.type === 'failed' && message.startsWith('failed ')
  // Go has the whole protocol of a skipped test there.
  if (!EMPTY.test(message) && !COUNTED.test(message) && !isName)
    return (
      (message.startsWith('=== RUN') && tellingLine(message)) ||
      saidInTap(message) ||
      withoutFrames(message)
    )
  const own = textOf({ text }).trim()
  const [, expected, result] = VALUES.exec(own) ?? []
  if (expected !== undefined) return `Expected: ${expected}\nResult: ${result}`
  if (COUNTED.test(message) && own !== '') return own
  const diagnostic = saidInTap(own)
  if (diagnostic !== null) return diagnostic
  for (const pattern of RAISED) {
    const raised = [...own.matchAll(pattern)].at(-1)?.[1]?.trim()
    if (raised) return raised
  }
  // Without a message the text is one, up to its stack.
  const whole = message === '' ? own.split(STACK, 1)[0]?.replace(BEFORE, '').trim() : ''
  return whole || tellingLine(own)
}

/** Criterion counts the assertions, and has one in each line of the text. */
const COUNTED = /^[1-9]\d* assertion\(s\) failed\.$/

const RAISED = [
  // A traceback of Python, up to the line that names what was raised: frames are indented. Testtools puts its own class before it.
  /^(?:\S+: )?Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)*(\S.*)/gm,
  // Pytest marks it, below the code of a file that cannot be loaded.
  /^E {3}(\S.*)/gm,
  // EUnit has it below the stack, with its class.
  /^\*\*((?:error|exit|throw):[\s\S]+)/gm,
  // Cucumber of Ruby has the steps before it, and the stack after it.
  /^Message:\n([\s\S]+?)(?=\n\S+:\d+:in |(?![\s\S]))/gm,
  // Lit of LLVM has the script before it.
  /^Command Output \(stderr\):\n--\n([\s\S]+?)\n--(?!\S)/gm,
  /^Exit Code: -?\d+\n(Timeout: .+)/gm,
  /^Command Output \(stdout\):\n--\n([\s\S]+?)\n--(?!\S)/gm,
  /^Script:\n--\n[\s\S]*?\n--\n(Exit Code: -?\d+)/g,
]
/** Frames of JavaScript, Java and Python, and their heading in Lua; PHPUnit has places alone, behind an empty line. */
const STACK = /\n\s*(?:at |File "|stack traceback:)|\n\n(?:\/|[A-Z]:\\)\S*:\d+(?:\n|$)/
/** PHPUnit writes the test, or that it is an error, before the message, and HUnit and Bats the place. */
const BEFORE =
  /^(?:[\w\\]+::\w+.*|Error|\S+\.l?hs:\d+:|\((?:from function|in test file) .*(?:,\n .*)*\))\n/

/** Places, headings and marks of a protocol, as Go, Boost and behave write them. */
const NOISE = /^([-=#*]{3}|- (file|line|test case|test suite) *:|Failing step:|Location:)|:$/

function tellingLine(text: string): string {
  const [, marked] = /^- message *: (.+)$/m.exec(text) ?? []
  const lines = text.split('\n').map((line) => line.trim())
  return marked ?? lines.find((line) => !NOISE.test(line) && !EMPTY.test(line)) ?? ''
}

/** libtest of Rust has the reason in the output alone; other programs end with it. */
function lastWords(output: string): string {
  const [, panic] = /panicked at [^\n]*:\n([^\n]+)/.exec(output) ?? []
  return panic ?? output.trim().split('\n').at(-1)?.trim() ?? ''
}

/** The message and the text of a fault, which often begins with the message. */
export function saidBy({ attributes, text }: XmlElement): string {
  const [message, plain] = [wordsOf({ attributes }), textOf({ text })]
  return plain.includes(message.trim()) ? plain : [message, plain].filter(Boolean).join('\n')
}
