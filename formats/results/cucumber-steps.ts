import { isUtf8 } from 'node:buffer'
import { stripVTControlCharacters } from 'node:util'
import { withoutFrames } from '../without-frames.ts'
import { type NamedFile, type State, type Step, type Try, textIn } from './scenario.ts'

/** A step of Cucumber, and what it wrote. */
export interface RunStep extends Step {
  output: string
}

const STATES: Readonly<Record<string, State>> = {
  passed: 'COMPLETED',
  failed: 'FAILED',
  skipped: 'SKIPPED',
  untested: 'SKIPPED',
  pending: 'FAILED', // Cucumber is strict
}
/** For Ruby, Cucumber is not: pending and undefined steps leave the rest of their scenario out. */
const PENDING_IN_RUBY = /\(Cucumber::Pending\)/
/** Steps of Test::BDD::Cucumber behind one that did not succeed. */
const PENDING_IN_PERL = /^1\.\.0 # SKIP /
/** It names the feature itself where no file defines the step; others name nothing. */
const UNDEFINED_IN_RUBY = /\.feature:\d+$/

/** pytest-bdd has all that pytest shows there, with code; these lines say what was raised, those of its cause before. */
const RAISED_IN_PYTEST = /(?:^E {3}.*\n?)+/gm

/**
 * A step by the status that its tool gave it, in any case: undefined and ambiguous ones could not be carried out.
 * @param place where the step is defined
 */
export function judgedStep(
  status: string,
  given: { name: string; message: string; durationMs: number; files: NamedFile[]; output: string },
  place = '',
): RunStep {
  const word = status.toLowerCase()
  const said = stripVTControlCharacters(given.message)
  const isLeftOut =
    PENDING_IN_RUBY.test(said) ||
    PENDING_IN_PERL.test(said) ||
    (word === 'undefined' && UNDEFINED_IN_RUBY.test(place))
  const state = isLeftOut ? 'SKIPPED' : (STATES[word] ?? 'ERROR')
  const [raised = said] = [...said.matchAll(RAISED_IN_PYTEST)].map(([lines]) => lines).slice(-1)
  const whole = raised.replace(/^E {3}/gm, '').trim()
  const message = withoutFrames(whole)
  const isSaid = said !== '' || (STATES[word] !== undefined && word !== 'pending')
  return {
    ...given,
    state,
    name: given.name.trim() || 'Hook',
    message: isSaid ? message : `The step is ${word || 'without a result'}`,
    output: [given.output, raised === said && message === whole ? '' : said]
      .filter(Boolean)
      .join('\n'),
  }
}

/** The gravest of steps; a step that skips leaves the rest of its scenario out. */
export function outcomeOf(steps: readonly Step[], own = steps): Pick<Step, 'state' | 'message'> {
  const bad = steps.filter(isBad)
  const state =
    bad.find((step) => step.state === 'ERROR')?.state ??
    bad[0]?.state ??
    (own.some(isSkipped) ? 'SKIPPED' : 'COMPLETED')
  const said = state === 'SKIPPED' ? own.filter(isSkipped) : bad
  // The first that made it so leads, whatever else went wrong as well.
  const messages = said.toSorted((a, b) => Number(b.state === state) - Number(a.state === state))
  return {
    state,
    message: [...new Set(messages.map(({ message }) => message))].filter(Boolean).join('\n\n'),
  }
}

export const isBad = <T extends { state: State }>(each: T): each is T & Pick<Try, 'state'> =>
  each.state === 'ERROR' || each.state === 'FAILED'

export const isSkipped = ({ state }: Step): boolean => state === 'SKIPPED'

export const logOf = (steps: readonly RunStep[]): string =>
  steps
    .map(({ output }) => stripVTControlCharacters(output))
    .filter(Boolean)
    .join('\n')

/** A line that `log` of Cucumber attached. */
export const isLog = (contentType: string): boolean => /^text\/x\.cucumber\.log\b/.test(contentType)

/** A file within a report. @param at its place among those of its step */
export function embeddedFile(
  { data, contentType, name }: { data: string; contentType: string; name: string },
  at: number,
): NamedFile {
  const kind = contentType.split('/')[1]?.split(/[;+]/)[0] ?? 'bin'
  const end = kind === 'plain' || isLog(contentType) ? 'txt' : kind
  return {
    name: name || `embedding-${at + 1}.${end}`,
    ...(contentType && { contentType }),
    path: null,
    base64: base64Of(data, contentType),
  }
}

/** Old tools embed text as it is; what only looks like Base64 is text where its bytes are none. */
function base64Of(data: string, contentType: string): string {
  const compact = data.replace(/^data:[^,]*;base64,/, '').replace(/\s/g, '')
  const isText = /^text\/|[/+](json|xml|javascript)\b/.test(contentType)
  const bytes = Buffer.from(compact, 'base64')
  const isBase64 = bytes.toString('base64') === compact && (!isText || isUtf8(bytes))
  return isBase64 ? compact : Buffer.from(data).toString('base64')
}

/** A list of texts, or one. */
export const linesIn = (value: unknown): string =>
  Array.isArray(value) ? value.map(textIn).join('\n') : textIn(value)
