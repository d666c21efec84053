import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import {
  ExecuteAgainDocument,
  ExecuteDocument,
  type HostCredentialsInput,
} from '../graph/generated.ts'
import { RequestError } from '../graph/request-error.ts'
import { FormDialog } from '../ui/inputs.tsx'
import { Button } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'

/** Credentials of components at their host, kept until the page is closed. */
let known: HostCredentialsInput | undefined

interface StartProps {
  /** @returns the id of the execution */
  start(credentials: HostCredentialsInput | undefined): Promise<string>
  label: string
  /** Credentials with which the form is filled in. */
  suggested?: HostCredentialsInput
  look?: 'primary' | 'plain'
  small?: boolean
  /** True if it offers to enter other credentials than those that are kept. */
  canChange?: boolean
}

interface RunProps extends Omit<StartProps, 'start' | 'label'> {
  /** Id of a scenario or suite. */
  contextId: string
  label?: string
}

/** Executes what is stored. */
export const Run = ({ contextId, label = 'Run', ...others }: RunProps) => (
  <Start
    {...others}
    label={label}
    start={async (credentials) => {
      const { execute } = await change(ExecuteDocument, { input: { contextId, credentials } })
      return execute.id
    }}
  />
)

/** Executes again what did not pass of an execution, in its environment and with its labels. */
export const RunFailed = ({ resultId }: { resultId: string }) => (
  <Start
    label="Run failed again"
    start={async (credentials) => {
      const input = { resultId, only: 'NOT_PASSED' as const, credentials }
      const { executeAgain } = await change(ExecuteAgainDocument, { input })
      return executeAgain.id
    }}
  />
)

/** Executes and shows the execution, where the viewer may. The server decides whether host credentials are needed. */
export function Start({ start, label, suggested, look, small, canChange }: StartProps) {
  const [question, setQuestion] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const may = useMay('executions:run')

  const run = () =>
    attempt(async () => {
      setBusy(true)
      try {
        const id = await start(known)
        await navigate({ to: '/executions/$id', params: { id } })
      } catch (error) {
        if (known || !(error instanceof RequestError) || !error.codes.includes('FORBIDDEN'))
          throw error
        setQuestion(error.message)
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
          <p className="soft">
            {suggested
              ? 'The examples take any user and password: run them as they are.'
              : `${question}.`}
          </p>
          <p className="under">
            Components sign in at their host with them. Assay passes them on without a check, and
            this page forgets them when it is closed.
          </p>
          <label className="field">
            User
            <input name="userId" autoComplete="off" defaultValue={suggested?.userId} required />
          </label>
          <label className="field">
            Password
            <input
              name="password"
              type="password"
              autoComplete="off"
              defaultValue={suggested?.password}
              required
            />
          </label>
        </FormDialog>
      )}
    </>
  )
}
