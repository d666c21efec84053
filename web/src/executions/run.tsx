import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../app/account.tsx'
import { change, read } from '../graph/client.ts'
import {
  ExecuteAgainDocument,
  ExecuteDocument,
  type HostCredentialsInput,
  HostStepsDocument,
} from '../graph/generated.ts'
import { RequestError } from '../graph/request-error.ts'
import { FormDialog } from '../ui/inputs.tsx'
import { Button } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'
import { hostSteps } from './host-steps.ts'

/** Credentials of components at their host, kept until the page is closed. */
let known: HostCredentialsInput | undefined

/** Those of a host that asks for none: they are sent nowhere. */
const NONE: HostCredentialsInput = { userId: '', password: '' }

interface StartProps {
  /** @returns the id of the execution */
  start(credentials: HostCredentialsInput | undefined): Promise<string>
  label: string
  /** Id of the scenario or suite, where it is stored. */
  contextId?: string
  look?: 'primary' | 'plain'
  small?: boolean
  /** True if it offers to enter other credentials than those that are kept. */
  canChange?: boolean
}

interface RunProps extends Omit<StartProps, 'start' | 'label'> {
  contextId: string
  label?: string
}

/** Executes what is stored. */
export const Run = ({ contextId, label = 'Run', ...others }: RunProps) => (
  <Start
    {...others}
    label={label}
    contextId={contextId}
    start={async (credentials) => {
      const { execute } = await change(ExecuteDocument, { input: { contextId, credentials } })
      return execute.id
    }}
  />
)

/** Executes again what did not pass of an execution, in its environment and with its labels. */
export const RunFailed = ({ resultId, contextId }: { resultId: string; contextId: string }) => (
  <Start
    contextId={contextId}
    label="Run failed again"
    start={async (credentials) => {
      const input = { resultId, only: 'NOT_PASSED' as const, credentials }
      const { executeAgain } = await change(ExecuteAgainDocument, { input })
      return executeAgain.id
    }}
  />
)

/**
 * Executes and shows the execution, where the viewer may. The server decides whether host credentials are needed; they
 * are asked for where a step uses them.
 */
export function Start({ start, label, contextId, look, small, canChange }: StartProps) {
  const [question, setQuestion] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const may = useMay('executions:run')

  const begin = async (credentials: HostCredentialsInput | undefined) => {
    const id = await start(credentials)
    await navigate({ to: '/executions/$id', params: { id } })
  }
  const run = () =>
    attempt(async () => {
      setBusy(true)
      try {
        await begin(known)
      } catch (error) {
        if (known || !(error instanceof RequestError) || !error.codes.includes('FORBIDDEN'))
          throw error
        if (contextId !== undefined && !(await mayUseHost(contextId))) await begin(NONE)
        else setQuestion(error.message)
      } finally {
        setBusy(false)
      }
    })

  const submit = (form: FormData) => {
    known = { userId: String(form.get('userId')), password: String(form.get('password')) }
    setQuestion(null)
    void run()
  }

  if (!may) return null
  return (
    <>
      {canChange && known && (
        <Button
          disabled={isBusy}
          onClick={() => setQuestion('They replace those that this page keeps')}
        >
          Other credentials
        </Button>
      )}
      <Button icon="play" look={look} small={small} disabled={isBusy} onClick={run}>
        {label}
      </Button>
      {question !== null && (
        <FormDialog
          title="Credentials for the host"
          action="Run"
          icon="play"
          onSubmit={submit}
          onClose={() => setQuestion(null)}
        >
          <p className="soft">{question}.</p>
          <p className="under">
            Steps sign in at the host of their environment with them. Assay passes them on without a
            check, and this page forgets them when it is closed. Leave both empty where the host
            asks for none.
          </p>
          <label className="field">
            User
            <input name="userId" autoComplete="off" />
          </label>
          <label className="field">
            Password
            <input name="password" type="password" autoComplete="off" />
          </label>
        </FormDialog>
      )}
    </>
  )
}

/** True if a step of what is stored signs in at a host, or if that cannot be read. */
async function mayUseHost(contextId: string): Promise<boolean> {
  const seen = new Set<string>()
  const visit = async (id: string): Promise<boolean> => {
    if (seen.has(id)) return false
    seen.add(id)
    const { testCase, suite } = await read(HostStepsDocument, { id })
    const all = suite ? [suite.setup, ...suite.testCases, suite.teardown] : [testCase]
    const found = all.flatMap((each) => (each ? hostSteps(each.scenario) : []))
    if (found.some(({ uses }) => uses)) return true
    const inside = await Promise.all(found.flatMap((each) => each.inside.map(visit)))
    return inside.includes(true)
  }
  return visit(contextId).catch(() => true)
}
