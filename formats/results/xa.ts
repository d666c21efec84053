import { parseXml, type XmlElement } from '../xml.ts'
import { durationIn, type Scenario, type State, type Step, timeIn } from './scenario.ts'

const STATES: Readonly<Record<string, State>> = {
  SUCCESS: 'COMPLETED',
  FAILURE: 'FAILED',
  ERROR: 'ERROR',
  SKIPPED: 'SKIPPED',
}

/** Servers write it in any case. */
const stateOf = (resultType = ''): State => STATES[resultType.toUpperCase()] ?? 'ERROR'

const STEPS = new Set(['step', 'row', 'test'])

/** An XA report: each XaUnitResult is a scenario. @throws Error */
export function readXa(text: string): Scenario[] {
  const root = parseXml(text)
  if (!/^Xa(Unit|Suite)Result$/.test(root.name))
    throw new Error('its root is no XaUnitResult and no XaSuiteResult')
  return unitsIn(root).map(scenarioOf)
}

const unitsIn = (element: XmlElement): XmlElement[] =>
  element.name === 'XaUnitResult' ? [element] : element.children.flatMap(unitsIn)

function scenarioOf(unit: XmlElement): Scenario {
  const { name, contextId, resultType = '', startTime = '', duration } = unit.attributes
  const message = unit.children.find((child) => child.name === 'message')?.text ?? ''
  return {
    name: contextId || name || 'A unit without a name',
    state: stateOf(resultType),
    message,
    started: timeOf(startTime),
    durationMs: durationIn(Number(duration)),
    steps: stepsIn(unit),
    log: '',
    tries: [],
  }
}

const stepsIn = ({ children }: XmlElement): Step[] =>
  children
    .filter((child) => STEPS.has(child.name))
    .flatMap((child) => [stepOf(child), ...stepsIn(child)])

const stepOf = ({ attributes, text }: XmlElement): Step => ({
  name: attributes.name || attributes.id || 'A step without a name',
  state: stateOf(attributes.resultType),
  message: text.trim(),
  durationMs: durationIn(Number(attributes.duration)),
  files: [],
})

/** `yyyyMMdd-HH-mm-ss` in UTC. */
const timeOf = (text: string): string | null => {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)-(\d\d)-(\d\d)-(\d\d)$/.exec(text) ?? []
  const [year, month, day, hour, minute, second] = parts
  return timeIn(`${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`)
}
