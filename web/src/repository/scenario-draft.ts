import { parsed } from '../editor/faults.ts'
import { yamlOf } from '../editor/yaml-text.ts'
import type {
  CreateTestCaseInput,
  RevisionFragment,
  ScenarioDetailQuery,
} from '../graph/generated.ts'
import { SETTINGS } from '../graph/settings.ts'
import type { Named } from './forms/named-list.tsx'
import { lineOfTags, tagsOfLine } from './tags.ts'

export type TestCase = NonNullable<ScenarioDetailQuery['artifact']>

/** A scenario as its form has it. */
export interface ScenarioDraft {
  name: string
  description: string
  /** Id of the component under test, or empty. */
  component: string
  /** Id of the environment, or empty. */
  environment: string
  /** With commas between them. */
  tags: string
  storedTags: readonly string[]
  needs: readonly Named[]
  retries: number
  quarantine: boolean
  useCodeCoverage: boolean
  rerunAfterCrash: boolean
  allowExecuteWithoutCredentials: boolean
  /** Its steps as YAML. */
  text: string
}

/** Runs green on every installation: it needs no component, no environment and no network. */
const FIRST = `# Steps run in this order, and each says what it expects. "Run without saving" tries them.
variables: { pause: 50 }
steps:
  - id: first
    name: Wait a moment
    wait: { ms: "{{var.pause}}" }
    expect:
      - { name: it is soon over, assert: durationMs, value: 5000 }
  # A request: choose an environment, whose base URL the url is below.
  # - id: health
  #   http: { url: /healthz }
  #   expect: [{ name: it answers, assert: status, value: 200 }]
  # A call of a function that the component under test exports.
  # - id: twice
  #   call: { function: double, args: [21] }
  #   expect: [{ name: twice as much, assert: equals, value: 42 }]
`

export const NEW_SCENARIO: ScenarioDraft = {
  name: '',
  description: '',
  component: '',
  environment: '',
  tags: '',
  storedTags: [],
  needs: [],
  retries: 0,
  quarantine: false,
  useCodeCoverage: true,
  rerunAfterCrash: true,
  // Without a sign-in every caller may execute it anyway.
  allowExecuteWithoutCredentials: SETTINGS.authMode === 'none',
  text: FIRST,
}

export const draftOfScenario = (testCase: TestCase): ScenarioDraft => ({
  name: testCase.name,
  description: testCase.description ?? '',
  component: testCase.componentUnderTest?.id ?? '',
  environment: testCase.environment?.id ?? '',
  tags: lineOfTags(testCase.tags),
  storedTags: testCase.tags,
  needs: testCase.needs.map(({ id, name }) => ({ id, name })),
  retries: testCase.retries,
  quarantine: testCase.quarantine,
  useCodeCoverage: testCase.useCodeCoverage,
  rerunAfterCrash: testCase.rerunAfterCrash,
  allowExecuteWithoutCredentials: testCase.allowExecuteWithoutCredentials,
  text: testCase.scenarioText ?? yamlOf(testCase.scenario),
})

/** An earlier revision as a draft; what it needed and the scenario does not need any more is called by its id. */
export function draftOfEarlier(
  testCase: TestCase,
  { name, description, attributes }: RevisionFragment,
): ScenarioDraft {
  const text = (key: string) => (typeof attributes[key] === 'string' ? attributes[key] : '')
  const isOn = (key: 'quarantine' | 'useCodeCoverage' | 'rerunAfterCrash') =>
    typeof attributes[key] === 'boolean' ? attributes[key] : NEW_SCENARIO[key]
  const list = (key: string) => [attributes[key] ?? []].flat().map(String)
  return {
    name,
    description: description ?? '',
    component: text('componentUnderTest'),
    environment: text('environment'),
    tags: lineOfTags(list('tags')),
    storedTags: list('tags'),
    needs: list('needs').map(
      (id) => testCase.needs.find((each) => each.id === id) ?? { id, name: id },
    ),
    retries: Number(attributes.retries ?? 0),
    quarantine: isOn('quarantine'),
    useCodeCoverage: isOn('useCodeCoverage'),
    rerunAfterCrash: isOn('rerunAfterCrash'),
    allowExecuteWithoutCredentials: attributes.allowExecuteWithoutCredentials === true,
    text: text('scenarioText') || yamlOf(attributes.scenario),
  }
}

/** Input for a draft. @throws Error that begins with the attribute, for a text that cannot be read */
export function inputOfScenario(draft: ScenarioDraft): CreateTestCaseInput {
  const [fault] = parsed(draft.text).faults
  if (fault) throw new Error(`scenario: ${fault.message}`)
  const { component, environment, storedTags, text, ...others } = draft
  return {
    ...others,
    description: draft.description || null,
    componentUnderTest: component || null,
    environment: environment || null,
    tags: tagsOfLine(draft.tags, storedTags),
    needs: draft.needs.map(({ id }) => id),
    scenario: text,
  }
}

/** The settings of a stored scenario, as its revisions have them. */
export const attributesOf = (testCase: TestCase) => {
  const { componentUnderTest, environment, needs, tags, retries, quarantine } = testCase
  const {
    useCodeCoverage,
    rerunAfterCrash,
    allowExecuteWithoutCredentials,
    scenario,
    scenarioText,
  } = testCase
  return {
    componentUnderTest: componentUnderTest?.id ?? null,
    environment: environment?.id ?? null,
    needs: needs.map(({ id }) => id),
    tags,
    retries,
    quarantine,
    useCodeCoverage,
    rerunAfterCrash,
    allowExecuteWithoutCredentials,
    scenario,
    scenarioText,
  }
}
