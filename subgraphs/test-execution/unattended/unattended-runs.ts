import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import type { HostCredentials } from '../../../runner/run/environment.ts'
import type { Execution } from '../executions/execution.entity.ts'
import type { ExecuteRequest, ExecutionService } from '../executions/execution.service.ts'
import type { OwnerRepository } from './owner.repository.ts'
import type { Owner, Unattended } from './owner.ts'

/** Start of a run in the words of schedules and triggers. */
type Start = Pick<ExecuteRequest, 'startedBy' | 'alongside'> & Pick<Unattended, 'labels'>

export interface PreparedRun {
  caller: Caller
  /** @throws AppError as `ExecutionService.execute` */
  start(how: Start): Promise<Execution>
}

/** Starts executions without a person, with the rights of the account that stored what asks for them. */
export class UnattendedRuns {
  constructor(
    private readonly owners: Pick<OwnerRepository, 'callerOf'>,
    /** Accepts no more of them than SCHEDULES_SHARE allows. */
    private readonly executions: Pick<ExecutionService, 'execute' | 'cancel'>,
    /** Opens a secret of an environment. */
    private readonly secretOf: (environment: string, name: string) => Promise<string | null>,
  ) {}

  /** @throws AppError FORBIDDEN, CONFLICT (as `#credentialsOf`) */
  async prepare(what: Unattended, owner: Owner): Promise<PreparedRun> {
    const caller = await this.owners.callerOf(owner, uuidv7())
    requirePermission(caller, 'executions:run')
    const credentials = await this.#credentialsOf(what)
    const start = ({ labels, ...how }: Start) =>
      this.executions.execute(
        {
          ...how,
          contextId: what.target,
          over: { environmentId: what.environment ?? null },
          labels: Object.entries(labels).map(([name, value]) => ({ name, value })),
          credentials,
        },
        caller,
      )
    return { caller, start }
  }

  cancel(...asked: Parameters<ExecutionService['cancel']>): Promise<Execution> {
    return this.executions.cancel(...asked)
  }

  /** @throws AppError CONFLICT where the secret has gone, or is none */
  async #credentialsOf({
    credentialsFrom: name,
    environment = '',
  }: Unattended): Promise<HostCredentials | null> {
    if (name === undefined) return null
    const secret = await this.secretOf(environment, name)
    if (secret === null)
      throw new AppError('CONFLICT', `The environment ${environment} has no secret ${name}`)
    const at = secret.indexOf(':')
    if (at < 1)
      throw new AppError(
        'CONFLICT',
        `The secret ${name} of the environment ${environment} holds no credentials: expected USER_ID:PASSWORD`,
      )
    return { userId: secret.slice(0, at), password: secret.slice(at + 1) }
  }
}

/** Reason why an owner's run started nothing, with the way out. */
export function reasonOf(kind: string, { user }: Owner, { code, message }: AppError): string {
  if (code !== 'FORBIDDEN' && code !== 'UNAUTHENTICATED') return message
  const rights = user
    ? `Runs have the rights of ${user}, who stored the ${kind}`
    : `The ${kind} was stored without a sign-in (AUTH_MODE=none), which gives no rights where users sign in`
  return `${message}. ${rights}: sign in as a user with executions:run and store it again`
}
