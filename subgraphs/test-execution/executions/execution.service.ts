import { v7 as uuidv7 } from 'uuid'
import { AppError, notFound } from '../../../schema/errors.ts'
import type { Caller } from '../../shared/caller.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import { OutboundError } from '../../shared/outbound/outbound-error.ts'
import type { PubSub } from '../../shared/pub-sub/pub-sub.ts'
import type { Secrets } from '../../shared/secrets.ts'
import type { ArtifactService } from '../artifacts/artifact.service.ts'
import { COMPONENT } from '../artifacts/component/component.kind.ts'
import type { Component } from '../artifacts/component/component.type.ts'
import { TESTCASE } from '../artifacts/testcase/testcase.kind.ts'
import type { TestCase } from '../artifacts/testcase/testcase.type.ts'
import { validateScenario } from '../runners/scenario.ts'
import type { ExecutionRepository } from './execution.repository.ts'
import { EXECUTION_CHANGED, type Execution, type ExecutionTypeName } from './execution.ts'
import type { ExecutionUpdates } from './execution.updates.ts'

export interface HostCredentials {
  userId: string
  password: string
}

export interface ExecuteRequest {
  contextId: string
  /** Refuses a context of the other type. */
  type?: ExecutionTypeName | null
  credentials?: HostCredentials | null
  /** Answer only when the execution has ended. */
  wait?: boolean | null
  /** Where the result is posted to after the end. */
  callbackUrl?: string | null
}

/** Accepts executions and reads their results. */
export class ExecutionService {
  constructor(
    private readonly repository: ExecutionRepository,
    private readonly updates: ExecutionUpdates,
    private readonly artifacts: ArtifactService,
    private readonly secrets: Secrets,
    private readonly pubSub: PubSub,
    private readonly outbound: Pick<Outbound, 'check'>,
    private readonly now: () => Date = () => new Date(),
  ) {}

  find(id: string): Promise<Execution | null> {
    return this.repository.find(id)
  }

  /** @throws AppError NOT_FOUND */
  async get(id: string): Promise<Execution> {
    return (await this.find(id)) ?? Promise.reject(notFound('execution result', id))
  }

  async log(id: string): Promise<string> {
    return (await this.repository.logLines(id)).map((line) => `${line}\n`).join('')
  }

  /** @throws AppError BAD_USER_INPUT (callbackUrl), NOT_FOUND (no such scenario), FORBIDDEN (credentials needed) */
  async execute(
    { contextId, type, credentials, wait, callbackUrl }: ExecuteRequest,
    caller: Caller,
  ): Promise<Execution> {
    const callback = this.#callback(callbackUrl)
    const testCase = await this.#context(contextId, type)
    if (!credentials && !testCase.allowExecuteWithoutCredentials)
      throw new AppError(
        'FORBIDDEN',
        `The testcase ${contextId} needs host credentials to be executed`,
      )
    const component = (await this.artifacts.get(
      COMPONENT,
      testCase.componentUnderTest,
    )) as unknown as Component
    const execution: Execution = {
      id: uuidv7(),
      type: 'TEST',
      contextId,
      contextName: testCase.name,
      state: 'RUNNING',
      attempt: 0,
      updateCount: 1,
      started: this.now(),
      ended: null,
      message: null,
      errorCode: null,
      executedBy: caller.user ?? credentials?.userId ?? 'anonymous',
      useCodeCoverage: testCase.useCodeCoverage,
      callbackUrl: callback,
      steps: [],
      validationFailures: [],
      codeCoverage: [],
    }
    const { name, language, sourceCode } = component
    const scenario = validateScenario(testCase.scenario)
    await this.repository.accept(
      execution,
      { name: testCase.name, component: { name, language, sourceCode }, scenario },
      credentials ? this.secrets.seal(JSON.stringify(credentials)) : null,
      caller.requestId,
    )
    void this.pubSub.publish(EXECUTION_CHANGED, execution.id)
    if (!wait) return execution
    return (await this.updates.ended(execution.id)) ?? this.get(execution.id)
  }

  #callback(url: ExecuteRequest['callbackUrl']): string | null {
    if (url == null) return null
    try {
      return this.outbound.check(url).href
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      throw new AppError('BAD_USER_INPUT', `callbackUrl: ${error.message}`, { cause: error })
    }
  }

  async #context(contextId: string, type: ExecuteRequest['type']): Promise<TestCase> {
    const testCase = type === 'SUITE' ? null : await this.artifacts.find(TESTCASE, contextId)
    if (!testCase) throw notFound(type === 'SUITE' ? 'suite' : 'testcase', contextId)
    return testCase as unknown as TestCase
  }
}
