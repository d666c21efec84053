import { yamlOf } from '../editor/yaml-text.ts'
import { change, read } from '../graph/client.ts'
import {
  EnvironmentsDocument,
  ImportReportDocument,
  RequestStepsDocument,
  type RequestStepsQuery,
} from '../graph/generated.ts'
import { plural } from '../ui/format.ts'
import { bringDraft } from './forms/use-draft.ts'
import { KINDS } from './reading.tsx'
import { isRequestText } from './request-text.ts'
import { NEW_SCENARIO } from './scenario-draft.ts'

interface Given {
  /** Name of its file. */
  name: string
  text: string
}

interface Taken {
  /** The page that shows it. */
  to: string
  id?: string
  says: string
  undo?: () => Promise<string>
}

/**
 * A command line of curl, or an OpenAPI document, becomes steps of a draft; all others are reports, whose formats the
 * server knows, and become an execution.
 * @throws Error for anything else
 */
export async function takeIn(given: readonly Given[]): Promise<Taken> {
  const requests = given.find(({ text }) => isRequestText(text))
  if (!requests) return takeReports(given)
  if (given.length > 1) throw new Error(`${requests.name} has requests: drop it by itself`)
  return takeRequests(requests.text)
}

async function takeReports(reports: readonly Given[]): Promise<Taken> {
  const [first] = reports
  const { importExecution } = await change(ImportReportDocument, {
    input: {
      name: (reports.length === 1 && first?.name.replace(/\.[a-z]+$/i, '')) || 'reports',
      scenarios: [],
      reports: reports.map(({ name, text }) => ({ path: name, text })),
    },
  }).catch((error: unknown) => {
    throw withRequests(error)
  })
  return {
    to: '/executions/$id',
    id: importExecution.id,
    says: `${plural(reports.length, 'report')} became an execution`,
  }
}

/** The server names the reports that it knows; the page takes in requests, too. */
const withRequests = (error: unknown): unknown =>
  error instanceof Error && error.message.includes('is no report of tests')
    ? new Error(`${error.message}, or requests: a curl command line or an OpenAPI document`)
    : error

async function takeRequests(text: string): Promise<Taken> {
  const { requestSteps } = await read(RequestStepsDocument, { text })
  const { page } = await read(EnvironmentsDocument, { first: 1_000, count: false })
  const environment = page.nodes.find(({ baseUrl }) => baseUrl && baseUrl === requestSteps.baseUrl)
  const draft = {
    ...NEW_SCENARIO,
    name: requestSteps.name,
    environment: environment?.id ?? '',
    allowExecuteWithoutCredentials:
      NEW_SCENARIO.allowExecuteWithoutCredentials && !requestSteps.signsIn,
    text: `${hintsOf(requestSteps, environment !== undefined)}${yamlOf({ steps: requestSteps.steps })}`,
  }
  const bringBack = bringDraft(KINDS.scenario.noun, draft, NEW_SCENARIO)
  return {
    to: KINDS.scenario.creator,
    says: `${plural(requestSteps.steps.length, 'step')} in a draft; Save stores it`,
    async undo() {
      bringBack()
      return 'The draft is as it was'
    },
  }
}

/** Comments on what the draft lacks. */
function hintsOf(
  { baseUrl, secrets, signsIn }: RequestStepsQuery['requestSteps'],
  hasEnvironment: boolean,
): string {
  return [
    hasEnvironment
      ? ''
      : `# Select an environment with the base URL ${baseUrl ?? 'of the server'}.\n`,
    secrets.length > 0 ? `# Secrets of the environment: ${secrets.join(', ')}\n` : '',
    signsIn ? '# The host credentials of the run sign in.\n' : '',
  ].join('')
}
