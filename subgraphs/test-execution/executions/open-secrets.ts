import type { Secrets } from '../../platform/secrets.ts'
import type { RunEnvironment } from '../runners/environment.ts'
import type { ScenarioRun } from '../runners/run-scenario.ts'
import type { SealedEnvironment } from './execution.snapshot.ts'

interface SealedForRun {
  environment: SealedEnvironment | undefined
  /** Of the host. */
  credentials: string | null
  /** Of the setup of its suite. */
  captures: string | null
}

/** What a run needs of what was sealed for it. @returns the Error that says which key is missing */
export function openSecrets(
  secrets: Secrets,
  { environment, credentials, captures }: SealedForRun,
): Pick<ScenarioRun, 'environment' | 'credentials' | 'setup'> | Error {
  try {
    return {
      ...(environment ? { environment: opened(environment, secrets) } : {}),
      ...(credentials ? { credentials: JSON.parse(secrets.open(credentials)) } : {}),
      ...(captures ? { setup: JSON.parse(secrets.open(captures)) } : {}),
    }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function opened({ sealed, ...environment }: SealedEnvironment, { open }: Secrets): RunEnvironment {
  const values = Object.entries(sealed).map(([name, text]) => [name, open(text)])
  return { ...environment, secrets: Object.fromEntries(values) }
}
