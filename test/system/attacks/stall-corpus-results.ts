import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../support/e2e/users.ts'
import type { Message } from './send.ts'
import type { Attack } from './stall-corpus.ts'

const SIGNED_IN = basic(ADMIN, ADMIN_PASSWORD)

const CREATE_TESTCASE =
  'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'
const CREATE_COMPONENT =
  'mutation ($input: CreateComponentInput!) { createComponent(input: $input) { id } }'
const EXECUTE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { id state message } }'

const get = (path: string): Message => ({ method: 'GET', path, headers: SIGNED_IN })
const graphql = (query: string, variables: object = {}): Message => ({
  path: '/graphql',
  headers: SIGNED_IN,
  body: JSON.stringify({ query, variables }),
})

/** Runs Perl, as every Debian has it. */
const perl = (script: string, reports: object[] = []) => ({
  command: { program: 'perl', args: ['-e', script], reports },
})

const CASES = 9_990
const JUNIT = `open my $f, '>', 'junit.xml'; print $f '<testsuite>';
  print $f "<testcase classname=\\"com.example.Some\\" name=\\"case $_\\" time=\\"0.01\\">" . ($_ % 2 ? "<failure message=\\"" . 'x' x 150 . "\\"/>" : '') . '</testcase>' for 1..${CASES};
  print $f '</testsuite>';`
const LOG = `print 'line of a log ' x 4, "\\n" for 1..10_000;`
const LCOV = `open my $f, '>', 'lcov.info';
  for my $n (1..255) { open my $s, '>', "s$n.js"; print $s "a();\\n" x 13_000; close $s;
    print $f "SF:s$n.js\\n"; print $f "DA:$_,1\\n" for 1..780; print $f "end_of_record\\n" }`

interface Stored {
  id: string
  steps: object[]
  /** Id of its last execution. */
  execution: string
}

const stored = (id: string, steps: object[]): Stored => ({ id, steps, execution: '' })

const REPORTED = stored('reported', [
  { id: 'tests', ...perl(JUNIT, [{ format: 'junit', path: 'junit.xml' }]) },
])
const LOGGED = stored(
  'logged',
  Array.from({ length: 4 }, (_, at) => ({ id: `s${at}`, ...perl(LOG) })),
)
const COVERED = stored('covered', [
  { id: 'tests', ...perl(LCOV, [{ format: 'lcov', path: 'lcov.info' }]) },
])

/** Stores a scenario that may run programs and send requests, with what it names. */
export async function store(
  url: string,
  { id, steps }: Pick<Stored, 'id' | 'steps'>,
): Promise<void> {
  const client = new Client(url)
  const environment = {
    ...{ id: `env-${id}`, name: id, runners: ['COMMAND', 'HTTP'] },
    allowedHosts: ['127.0.0.1'],
  }
  await client.rest('POST', '/environment', SIGNED_IN, environment)
  const component = { id: `code-${id}`, name: id, sourceCode: 'export {}' }
  await client.run(CREATE_COMPONENT, SIGNED_IN, { input: component })
  const testCase = { id, name: id, componentUnderTest: component.id, environment: environment.id }
  const input = { ...testCase, allowExecuteWithoutCredentials: true, scenario: { steps } }
  await client.run(CREATE_TESTCASE, SIGNED_IN, { input })
}

/** The id of the last execution of a scenario. */
async function findExecution(url: string, of: Stored): Promise<void> {
  const query = `{ executionResults(first: 1, filter: { contextId: "${of.id}" }) { nodes { id errorCode } } }`
  const { executionResults } = await new Client(url).run(query, SIGNED_IN)
  const [last] = executionResults.nodes
  expect(last.errorCode).toBe(null)
  of.execution = last.id
}

const ALL_OF_STEPS = 'id path kind datasetRow name state started ended durationMs message'

/** Ways to read a large result. */
const readings = (of: Stored): Attack[] => {
  const the = () => `executionResult(id: "${of.execution}")`
  const reading = (name: string, request: () => Message): Attack => ({
    name: `${of.id}: ${name}`,
    request,
    status: 200,
  })
  return [
    {
      ...reading('the simple result', () => get(`/api/result/${of.execution}`)),
      before: (url) => findExecution(url, of),
    },
    reading('its details', () => get(`/api/result/${of.execution}/details`)),
    reading('its details as JUnit XML', () =>
      get(`/api/result/${of.execution}/details?format=junit`),
    ),
    reading('all of its steps', () => graphql(`{ ${the()} { steps { ${ALL_OF_STEPS} } } }`)),
    reading('its coverage', () =>
      graphql(`{ ${the()} { codeCoverage { sourceCode hitLines untouchedLines } } }`),
    ),
    reading('its log', () => graphql(`{ ${the()} { log } }`)),
    reading('its XML 20 times', () =>
      graphql(
        `{ ${Array.from({ length: 20 }, (_, at) => `a${at}: ${the()} { report(format: JUNIT) b: report }`).join(' ')} }`,
      ),
    ),
    reading('its updates as a stream', () => ({
      ...graphql(
        `subscription { executionUpdated(id: "${of.execution}", after: "") { kind log step { ${ALL_OF_STEPS} } } }`,
      ),
      headers: { ...SIGNED_IN, accept: 'text/event-stream' },
    })),
    reading('a list that it is on', () =>
      graphql('{ executionResults(first: 1000) { nodes { id state } } }'),
    ),
  ]
}

const results = (name: string, of: Stored): Attack[] => [
  {
    name,
    before: (url) => store(url, of),
    request: () => graphql(EXECUTE, { input: { contextId: of.id, wait: true } }),
    status: 200,
  },
  ...readings(of),
]

const COMPONENTS = 60

export const RESULT_STALLS: readonly Attack[] = [
  ...results('as many reported tests as an execution may have', REPORTED),
  ...results('as much log as an execution may have', LOGGED),
  ...results('as much coverage as a step may have', COVERED),
  {
    name: 'a list of components of 256 KiB',
    async before(url) {
      const client = new Client(url)
      for (let at = 0; at < COMPONENTS; at++) {
        const input = { id: `large-${at}`, name: `Large ${at}`, sourceCode: 'f();'.repeat(60_000) }
        await client.run(CREATE_COMPONENT, SIGNED_IN, { input })
      }
    },
    request: () => get('/api/component?pageSize=1000'),
    status: 400,
  },
  {
    name: '20 lists of components of 256 KiB',
    request: () =>
      graphql(
        `{ ${Array.from({ length: 20 }, (_, at) => `a${at}: components(first: 100) { nodes { sourceCode } }`).join(' ')} }`,
      ),
    status: 200,
  },
]
