import { xmlAttribute } from '../xml-text.ts'

/** The coverage of a component, as `GET /result/{id}/details` returns it. */
export interface Coverage {
  componentName: string
  hitLines: readonly number[]
  untouchedLines: readonly number[]
}

/** Name of a component → the file with its lines; a component without one keeps its name. */
export type Sources = ReadonlyMap<string, string>

const NO_SOURCES: Sources = new Map()

/** Each executable line with whether it ran, in order. */
const linesOf = ({ hitLines, untouchedLines }: Coverage): [number, 0 | 1][] =>
  [
    ...hitLines.map((line): [number, 0 | 1] => [line, 1]),
    ...untouchedLines.map((line): [number, 0 | 1] => [line, 0]),
  ].sort(([a], [b]) => a - b)

/** Coverage in the format of lcov. */
export const lcov = (coverage: readonly Coverage[], sources = NO_SOURCES): string =>
  coverage
    .flatMap((each) => {
      const lines = linesOf(each)
      return [
        'TN:',
        `SF:${fileOf(each, sources)}`,
        ...lines.map(([line, hits]) => `DA:${line},${hits}`),
        `LF:${lines.length}`,
        `LH:${each.hitLines.length}`,
        'end_of_record\n',
      ]
    })
    .join('\n')

/** Coverage as Cobertura XML. */
export function cobertura(coverage: readonly Coverage[], sources = NO_SOURCES): string {
  const all = coverage.flatMap(linesOf)
  const classes = coverage.map((each) => {
    const lines = linesOf(each)
    const file = quoted(fileOf(each, sources))
    return `        <class name=${quoted(each.componentName)} filename=${file} line-rate="${rateOf(lines)}" branch-rate="0" complexity="0">
          <methods/>
          <lines>
${lines.map(([line, hits]) => `            <line number="${line}" hits="${hits}"/>`).join('\n')}
          </lines>
        </class>`
  })
  const hits = all.filter(([, hit]) => hit === 1).length
  return `<?xml version="1.0" encoding="UTF-8"?>
<coverage line-rate="${rateOf(all)}" branch-rate="0" lines-covered="${hits}" lines-valid="${all.length}" branches-covered="0" branches-valid="0" complexity="0" version="1" timestamp="${Date.now()}">
  <sources><source>.</source></sources>
  <packages>
    <package name="components" line-rate="${rateOf(all)}" branch-rate="0" complexity="0">
      <classes>
${classes.join('\n')}
      </classes>
    </package>
  </packages>
</coverage>
`
}

const fileOf = ({ componentName }: Coverage, sources: Sources): string =>
  (sources.get(componentName) ?? componentName).replace(/[\r\n]/g, ' ')

const rateOf = (lines: readonly (readonly [number, 0 | 1])[]): string =>
  lines.length === 0 ? '1' : (lines.filter(([, hit]) => hit === 1).length / lines.length).toFixed(4)

const quoted = (text: string): string => `"${xmlAttribute(text)}"`
