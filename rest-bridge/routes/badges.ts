import { xmlAttribute, xmlText } from '../../formats/xml-text.ts'
import { found, ok } from '../answers.ts'
import { inQuery } from '../documents/description.ts'
import { type Route, routesOf } from '../route.ts'
import { NAMED_PARENTS, type ResultParent } from './result-parents.ts'

const route = routesOf('Results')

type State = 'COMPLETED' | 'FAILED' | 'ERROR'

const BAD = '#c0392b'
const LOOKS: Readonly<Record<State | 'NONE', { word: string; colour: string }>> = {
  COMPLETED: { word: 'passed', colour: '#2d7d46' },
  FAILED: { word: 'failed', colour: BAD },
  ERROR: { word: 'error', colour: BAD },
  NONE: { word: 'no result', colour: '#6b7280' },
}

/** Width of a letter of 11 pixels, and of the space around a text, in pixels. */
const LETTER = 6.6
const AROUND = 10
const MOST_LETTERS = 60

/** The verdict of the last execution that ended, as an image. */
const badge = ({ path, type, of, parameters }: ResultParent): Route =>
  route<{ artifact: { name: string } | null; last: { nodes: { state: State }[] } }>({
    method: 'get',
    path: `${path}/badge`,
    summary: `Show how ${of} ended last, as a badge`,
    parameters: [
      ...parameters,
      inQuery('branch', 'Only executions with this label `branch`', undefined, 'main'),
    ],
    strictQuery: true,
    operation: `query Badge($id: ID!, $filter: ExecutionResultFilter!) {
      artifact: ${type === 'SUITE' ? 'suite' : 'testCase'}(id: $id) { name }
      last: executionResults(filter: $filter, first: 1) { nodes { state } } }`,
    variables: ({ params, query: { branch } }) => ({
      id: params.id,
      filter: {
        ...{ contextId: params.id, type, states: ['COMPLETED', 'FAILED', 'ERROR'] },
        ...(branch && { labels: [{ name: 'branch', values: [branch] }] }),
      },
    }),
    respond({ artifact, last }, { params, query }) {
      const { name } = found(artifact, type === 'SUITE' ? 'suite' : 'scenario', params.id)
      const title = query.branch ? `${name}, ${query.branch}` : name
      return {
        ...ok(badgeOf(title, last.nodes[0]?.state ?? 'NONE')),
        mediaType: 'image/svg+xml',
        headers: {
          'X-Content-Type-Options': 'nosniff',
          'Content-Security-Policy': "sandbox; default-src 'none'",
        },
      }
    },
    errors: ['NOT_FOUND'],
    answers: {
      200: {
        description: 'An image: passed, failed, error or no result',
        others: { 'image/svg+xml': { type: 'string' } },
      },
    },
  })

export const badges: readonly Route[] = NAMED_PARENTS.map(badge)

const widthOf = (text: string): number => Math.round(text.length * LETTER) + AROUND

function badgeOf(title: string, state: State | 'NONE'): string {
  const { word, colour } = LOOKS[state]
  const shown = title.length > MOST_LETTERS ? `${title.slice(0, MOST_LETTERS - 1)}…` : title
  const [before, after] = [widthOf(shown), widthOf(word)]
  const whole = `${title}: ${word}`
  const text = (words: string, from: number, width: number) =>
    `<text x="${from + width / 2}" y="14" textLength="${width - AROUND}" lengthAdjust="spacingAndGlyphs">${xmlText(words)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${before + after}" height="20" role="img" aria-label="${xmlAttribute(whole)}">
<title>${xmlText(whole)}</title>
<rect width="${before + after}" height="20" rx="3" fill="#374151"/>
<path d="M${before} 0h${after - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${after - 3}z" fill="${colour}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
${text(shown, 0, before)}
${text(word, before, after)}
</g>
</svg>
`
}
