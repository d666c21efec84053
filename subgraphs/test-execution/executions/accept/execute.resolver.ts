import { hash } from 'node:crypto'
import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import type { Caller, Context } from '../../../../platform/access/caller.ts'
import { requirePermission } from '../../../../platform/access/guard.ts'
import {
  type IdempotencyKey,
  readIdempotencyKey,
} from '../../../../platform/request/idempotency-key.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionService } from '../execution.service.ts'
import type { Label } from '../execution.ts'
import {
  AgainRevisions,
  AgainScopeType,
  ExecutionResult,
  ExecutionType,
} from '../execution.type.ts'
import type { ComponentSuiteService } from '../suite/component-suite.service.ts'
import type { AgainScope, AgainService } from './again.service.ts'
import { concealed } from './run-right.ts'

@InputType({
  description:
    'Sign-in at the host of the environment; dropped when the execution ends. Both empty: steps send none.',
})
class HostCredentialsInput {
  @Field(() => String, { description: 'User id, at most 255 characters.' })
  userId!: string

  @Field(() => String, { description: 'At most 4096 characters. Never logged and never returned.' })
  password!: string
}

@InputType({ description: 'A label of an execution.' })
export class LabelInput implements Label {
  @Field(() => String, { description: 'Its name: 1 to 63 of A-Za-z0-9._/-.' })
  name!: string

  @Field(() => String, { description: 'Its value, at most 255 characters.' })
  value!: string
}

@InputType()
export abstract class ExecuteOptions {
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Answer only when the execution has ended.',
  })
  wait!: boolean

  @Field(() => String, {
    nullable: true,
    description:
      'http or https URL that the result is posted to after the end, signed as Standard Webhooks describes.',
  })
  callbackUrl?: string | null

  @Field(() => [LabelInput], {
    nullable: true,
    description:
      'Marks to find the execution by, such as a build or a branch; at most 20. The scenarios of a suite have them, too.',
  })
  labels?: LabelInput[] | null

  @Field(() => HostCredentialsInput, {
    nullable: true,
    description: 'Needed unless the scenario, or every one of the suite, allows execution without.',
  })
  credentials?: HostCredentialsInput | null

  @Field(() => String, {
    nullable: true,
    description:
      'Makes it safe to repeat, 1 to 255 printable ASCII characters: the same key of the same account within 24 hours returns the same execution and starts nothing. With another request it fails with IDEMPOTENCY_MISMATCH; `wait` and the password may differ.',
  })
  idempotencyKey?: string | null
}

@InputType()
export abstract class ExecuteChosenOptions extends ExecuteOptions {
  @Field(() => [String], {
    nullable: true,
    description: 'Of a suite, only scenarios with one of these tags.',
  })
  tags?: string[] | null

  @Field(() => [String], {
    nullable: true,
    description: 'Of a suite, no scenarios with one of these tags.',
  })
  skipTags?: string[] | null
}

@InputType({ description: 'What to execute.' })
class ExecuteInput extends ExecuteChosenOptions {
  @Field(() => ID, { description: 'Id of a scenario or a suite.' })
  contextId!: string

  @Field(() => ExecutionType, {
    nullable: true,
    description: 'Refuses a context of the other type.',
  })
  type?: 'TEST' | 'SUITE' | null

  @Field(() => ID, {
    nullable: true,
    description:
      'Environment that the scenarios run in, instead of their own. Needs `executions:run`.',
  })
  environmentId?: string | null
}

@InputType({ description: 'Which scenarios to execute.' })
class ExecuteComponentInput extends ExecuteOptions {
  @Field(() => String, { description: 'Name of the component under test.' })
  componentName!: string

  @Field(() => ID, { description: 'Id of the environment that the scenarios run in.' })
  environmentId!: string
}

@InputType({ description: 'Execution to repeat.' })
class ExecuteAgainInput extends ExecuteOptions {
  @Field(() => ID, { description: 'Id of its result.' })
  resultId!: string

  @Field(() => AgainScopeType, {
    defaultValue: 'ALL',
    description: 'The part of it to execute.',
  })
  only!: AgainScope

  @Field(() => AgainRevisions, {
    defaultValue: 'NOW',
    description: 'The revisions of artifacts to execute.',
  })
  revisions!: 'NOW' | 'THEN'
}

@InputType({ description: 'Which execution to end before its time.' })
class CancelExecutionInput {
  @Field(() => ID, { description: 'Id of the result.' })
  id!: string

  @Field(() => String, {
    nullable: true,
    description: 'Why; stands in `message`, up to 1000 characters.',
  })
  reason?: string | null
}

/** Starts executions, and ends them. */
@Resolver(() => ExecutionResult)
export class ExecuteResolver {
  constructor(
    private readonly executions: ExecutionService,
    private readonly componentSuites: ComponentSuiteService,
    private readonly again: AgainService,
  ) {}

  @Mutation(() => ExecutionResult, {
    description: 'Executes a scenario or a suite. Answers at once, unless `wait` is set.',
  })
  execute(
    @Arg('input', () => ExecuteInput) input: ExecuteInput,
    @Ctx() { caller }: Context,
  ): Promise<Execution> {
    return this.#execute(input, caller)
  }

  @Mutation(() => ExecutionResult, {
    description:
      'Executes without a sign-in what allows execution without credentials; host credentials open nothing else. Callers who have signed in need `executions:run`, and that permission of the scenario or host credentials. A result that was started without a sign-in is readable by its id alone.',
  })
  executeWithoutSignIn(
    @Arg('input', () => ExecuteInput) input: ExecuteInput,
    @Ctx() { caller }: Context,
  ): Promise<Execution> {
    return this.#execute(input, caller)
  }

  @Mutation(() => ExecutionResult, {
    description:
      'Executes every scenario that tests a component in an environment, as a suite that is generated the first time and brought up to date later. NOT_FOUND when there is none.',
  })
  async executeComponent(
    @Arg('input', () => ExecuteComponentInput) input: ExecuteComponentInput,
    @Ctx() { caller }: Context,
  ): Promise<Execution> {
    const { componentName, environmentId, ...given } = input
    const options = { ...given, idempotency: keyOf(input, caller) }
    const earlier = await this.executions.repeated(options, caller)
    if (earlier) return earlier
    const suite = await concealed(caller, this.componentSuites.find(componentName, environmentId))
    const what = `the suite of the component ${suite.component.id}`
    const store = () => this.componentSuites.keep(suite)
    const contextId = { testCases: suite.testCases, what, store }
    return this.executions.execute(
      { ...options, contextId, type: 'SUITE', startedBy: 'COMPONENT' },
      caller,
    )
  }

  @Mutation(() => ExecutionResult, {
    description:
      'Executes again what an execution has run, or a part of it, in its environment and with its labels beside those given. The results name each other, and statistics count the last one. CONFLICT while it runs, where nothing is left to execute, and for files and imports.',
  })
  executeAgain(
    @Arg('input', () => ExecuteAgainInput) input: ExecuteAgainInput,
    @Ctx() { caller }: Context,
  ): Promise<Execution> {
    return this.again.execute({ ...input, idempotency: keyOf(input, caller) }, caller)
  }

  @Mutation(() => ExecutionResult, {
    description:
      'Ends an execution at once as ERROR with the code CANCELLED: one that waits never starts, the processes of one that runs are killed. All scenarios of a suite end, and the suite with its teardown, until which it is RUNNING. CONFLICT when it has ended, or has only its teardown to run.',
  })
  cancelExecution(
    @Arg('input', () => CancelExecutionInput) { id, reason }: CancelExecutionInput,
    @Ctx() { caller }: Context,
  ): Promise<Execution> {
    return this.executions.cancel(id, reason, caller)
  }

  #execute(input: ExecuteInput, caller: Caller): Promise<Execution> {
    const { environmentId, tags, skipTags, ...rest } = input
    if (environmentId != null) requirePermission(caller, 'executions:run')
    const over = { environmentId, tags, skipTags }
    const request = { ...rest, over, idempotency: keyOf(input, caller) }
    return this.executions.execute(request, caller)
  }
}

/** Two requests are the same when they execute the same for the same host user. Nothing is derived from the password. */
export function keyOf(
  { idempotencyKey, wait: _, credentials, ...what }: ExecuteOptions,
  caller: Caller,
): IdempotencyKey | null {
  if (idempotencyKey == null) return null
  const meant = Object.entries({ ...what, userId: credentials?.userId })
    .filter(([, value]) => value != null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return readIdempotencyKey(
    idempotencyKey,
    caller,
    hash('sha256', JSON.stringify(meant), 'base64url'),
  )
}
