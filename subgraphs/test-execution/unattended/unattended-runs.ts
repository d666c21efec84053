import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import type { Sql } from '../../../platform/database/sql.ts'
import type { HostCredentials } from '../../../runner/run/environment.ts'
import type { AcceptTogether, PlannedExecution } from '../executions/accept/together.repository.ts'
import type { Execution } from '../executions/execution.entity.ts'
import type { ExecuteRequest, ExecutionService } from '../executions/execution.service.ts'
import type { StartedByName } from '../executions/execution.ts'
import type { ScheduleShare } from '../schedules/share.ts'
import type { OwnerRepository } from './owner.repository.ts'
import type { Owner, Unattended } from './owner.ts'

type Labels = Unattended['labels']

/** Start of a run in the words of schedules and triggers. */
type Start = Pick<ExecuteRequest, 'startedBy' | 'alongside'> & { labels: Labels }

/** A run, or several that start alike. */
export interface PreparedRun {
  caller: Caller
  /** @throws AppError as `ExecutionService.execute` */
  start(how: Start): Promise<Execution>
  /** As `start` without the end: an execution for each set of labels, for `accept`. */
  plan(startedBy: StartedByName, labels: readonly Labels[]): Promise<PlannedExecution[]>
}

/** Starts executions without a person, with the rights of the account that stored what asks for them. */
export class UnattendedRuns {
  constructor(
    private readonly owners: Pick<OwnerRepository, 'callerOf'>,
    /** Accepts no more of them than SCHEDULES_SHARE allows. */
    private readonly executions: Pick<ExecutionService, 'execute' | 'cancel'>,
    private readonly together: AcceptTogether,
    private readonly share: Pick<ScheduleShare, 'take'>,
    /** Opens a secret of an environment. */
    private readonly secretOf: (environment: string, name: string) => Promise<string | null>,
  ) {}

  /** @throws AppError FORBIDDEN, CONFLICT (as `#credentialsOf`) */
  async prepare(what: Unattended, owner: Owner): Promise<PreparedRun> {
    const caller = await this.owners.callerOf(owner, uuidv7())
    requirePermission(caller, 'executions:run')
    const credentials = await this.#credentialsOf(what)
    const common = {
      contextId: what.target,
      over: { environmentId: what.environment ?? null },
      credentials,
    }
    return {
      caller,
      start: ({ labels, ...how }) =>
        this.executions.execute({ ...how, ...common, labels: listed(labels) }, caller),
      plan: (startedBy, labels) =>
        this.together.plan({ ...common, startedBy }, labels.map(listed), caller),
    }
  }

  /** Accepts the first of them in one transaction: as many as SCHEDULES_SHARE allows. @throws AppError OVERLOADED for none */
  async accept(
    planned: readonly PlannedExecution[],
    alongside: (em: Sql, accepted: readonly PlannedExecution[]) => Promise<void>,
  ): Promise<number> {
    const accepted = planned.slice(0, await this.share.take(planned.length))
    await this.together.accept(accepted, (em) => alongside(em, accepted))
    return accepted.length
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

const listed = (labels: Labels) => Object.entries(labels).map(([name, value]) => ({ name, value }))

/** Reason why an owner's run started nothing, with the way out. */
export function reasonOf(kind: string, { user }: Owner, { code, message }: AppError): string {
  if (code !== 'FORBIDDEN' && code !== 'UNAUTHENTICATED') return message
  const rights = user
    ? `Runs have the rights of ${user}, who stored the ${kind}`
    : `The ${kind} was stored without a sign-in (AUTH_MODE=none), which gives no rights where users sign in`
  return `${message}. ${rights}: sign in as a user with executions:run and store it again`
}
