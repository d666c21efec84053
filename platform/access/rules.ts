import type { Permission } from './permissions.ts'

/** No permission is needed: every caller may read it, or the resolver decides in each case. */
export const ANYONE = 'anyone'

export type Rule = Permission | typeof ANYONE

/**
 * Rules for seeing objects of a type, wherever they are reached: as an entity, or over a field of a type with
 * another rule. Connections and edges follow the type of their nodes.
 */
export const TYPE_RULES: Readonly<Record<string, Rule>> = {
  ApplyResult: 'artifacts:write',
  Artifact: 'artifacts:read',
  ArtifactFault: 'artifacts:read',
  ArtifactsValidation: 'artifacts:read',
  ArtifactAttributeChange: 'artifacts:write',
  ArtifactChange: 'artifacts:write',
  ArtifactRevision: 'artifacts:read',
  Component: 'artifacts:read',
  Environment: 'artifacts:read',
  Secret: 'artifacts:read',
  Suite: 'artifacts:read',
  TestCase: 'artifacts:read',
  ScenarioValidation: 'artifacts:read',
  ExpectationEvaluation: 'artifacts:read',

  CodeCoverage: 'executions:read',
  ExecutionContext: 'artifacts:read',
  ComparedStep: 'executions:read',
  ExecutedRevision: 'executions:read',
  ExecutionBucket: 'executions:read',
  ExecutionComparison: 'executions:read',
  ExecutionStatistics: 'executions:read',
  FlakyContext: 'executions:read',
  ExecutionLabel: 'executions:read',
  Attachment: 'executions:read',
  AttachmentContent: 'executions:read',
  EarlierTry: 'executions:read',
  ExecutionLogLine: 'executions:read',
  ExecutionProgress: 'executions:read',
  ExecutionResult: 'executions:read',
  ExecutionUpdate: 'executions:read',
  StepExchange: 'executions:read',
  StepRequest: 'executions:read',
  StepResponse: 'executions:read',
  SkippedScenario: 'executions:read',
  StepResult: 'executions:read',
  ValidationFailure: 'executions:read',
  CallbackAttempt: 'callbacks:manage',
  CallbackDelivery: 'callbacks:manage',

  Event: 'events:read',
  EventChange: 'events:read',
  EventOccurrence: 'events:read',
  EventSource: 'events:read',
  FingerprintExplanation: 'events:read',
  FingerprintPart: 'events:read',
  HistogramBucket: 'events:read',
  EventField: 'events:read',
  EventFieldValue: 'events:read',
  EventStatistics: 'events:read',
  StatisticsBucket: 'events:read',
  WordCount: 'events:read',
  RawEvent: 'events:read',
  StatusChange: 'events:read',
  EventStatusResult: 'events:write',
  EventImport: 'events:import',
  AcceptedEvent: 'events:write',
  IngestionResult: 'events:write',
  RejectedEvent: 'events:write',

  Account: 'account:own',
  ApiToken: 'account:own',
  NewAccount: 'accounts:manage',
  NewApiToken: 'account:own',
  Session: 'account:own',
  BrowserSession: 'account:own',
  Viewer: ANYONE,
  AuditEntry: 'audit:read',

  Server: ANYONE,
  Setting: 'accounts:manage',
  Worker: 'executions:read',
  WorkerSandbox: 'executions:read',
  MissingWall: 'executions:read',

  PageInfo: ANYONE,
}

/**
 * Rules for using a field. Every field of Query, Mutation and Subscription stands here; a field of another type
 * only where the rule of the type that it leads to does not say it.
 */
export const FIELD_RULES: Readonly<Record<string, Rule>> = {
  // Federation: a schema is no secret, and each entity follows the rule of its type.
  'Query._service': ANYONE,
  'Query._entities': ANYONE,

  // Version and mode of sign-in; its parts follow the rules of their types.
  'Query.server': ANYONE,
  // Null for what the rule of its type hides: the resolver asks the subgraph that has it.
  'Query.node': ANYONE,
  'Query.nodes': ANYONE,

  'Query.component': 'artifacts:read',
  'Query.components': 'artifacts:read',
  'Query.environment': 'artifacts:read',
  'Query.environments': 'artifacts:read',
  'Query.suite': 'artifacts:read',
  'Query.suites': 'artifacts:read',
  'Query.testCase': 'artifacts:read',
  'Query.testCases': 'artifacts:read',
  'Query.validateArtifacts': 'artifacts:read',
  'Query.validateScenario': 'artifacts:read',
  'Query.evaluateExpectation': 'artifacts:read',
  'Mutation.applyArtifacts': 'artifacts:write',
  'Mutation.createComponent': 'artifacts:write',
  'Mutation.createEnvironment': 'artifacts:write',
  'Mutation.createSuite': 'artifacts:write',
  'Mutation.createTestCase': 'artifacts:write',
  'Mutation.deleteComponent': 'artifacts:write',
  'Mutation.deleteEnvironment': 'artifacts:write',
  'Mutation.deleteSuite': 'artifacts:write',
  'Mutation.deleteTestCase': 'artifacts:write',
  'Mutation.updateComponent': 'artifacts:write',
  'Mutation.updateEnvironment': 'artifacts:write',
  'Mutation.updateSuite': 'artifacts:write',
  'Mutation.updateTestCase': 'artifacts:write',

  // Every caller that knows the id may read a result begun without a sign-in: the service decides.
  'Query.executionResult': ANYONE,
  'Subscription.executionUpdated': ANYONE,
  // Null for readers who may not read artifacts: the resolver decides.
  'ExecutionResult.environment': ANYONE,
  'Query.executionStateCursor': 'executions:read',
  'Subscription.executionStateChanged': 'executions:read',
  'Mutation.execute': 'executions:run',
  // It needs artifacts:write as well: the service decides.
  'Mutation.executeInline': 'executions:run',
  'Mutation.importExecution': 'executions:run',
  // Strangers execute what allows it, others need executions:run: the service decides.
  'Mutation.executeWithoutSignIn': ANYONE,
  'Mutation.executeComponent': ANYONE,
  'Mutation.executeAgain': 'executions:run',
  'Mutation.cancelExecution': 'executions:run',
  'Query.attachment': 'executions:read',
  'Query.executionResults': 'executions:read',
  'Query.executionStatistics': 'executions:read',
  'Query.flakyContexts': 'executions:read',
  'Query.compareExecutions': 'executions:read',
  'Query.callbackDeliveries': 'callbacks:manage',
  'Mutation.redeliverCallback': 'callbacks:manage',

  'Query.event': 'events:read',
  'Query.eventCursor': 'events:read',
  'Query.eventHistogram': 'events:read',
  'Query.eventStatistics': 'events:read',
  'Query.eventFields': 'events:read',
  'Query.eventFieldValues': 'events:read',
  'Query.events': 'events:read',
  'Query.rawEvents': 'events:read',
  'Mutation.ingestEvents': 'events:write',
  'Mutation.importEvents': 'events:import',
  'Mutation.setEventStatus': 'events:write',
  'Mutation.setEventStatuses': 'events:write',
  'Subscription.eventChanged': 'events:read',
  'Subscription.eventReceived': 'events:read',

  'Query.auditLog': 'audit:read',
  'Query.viewer': ANYONE,
  // The gateway asks it, before it knows the caller; clients cannot.
  'Query.identify': ANYONE,
  'Query.endedSessions': ANYONE,
  'Query.browserSessions': 'account:own',
  'Query.account': 'accounts:manage',
  'Query.accounts': 'accounts:manage',
  'Mutation.createAccount': 'accounts:manage',
  'Mutation.updateAccount': 'accounts:manage',
  'Mutation.deleteAccount': 'accounts:manage',
  'Mutation.authenticate': 'account:own',
  'Mutation.signOut': 'account:own',
  'Mutation.openBrowserSession': 'account:own',
  // The gateway asks them with the secret of a session; clients cannot.
  'Mutation.claimSessionRenewal': ANYONE,
  'Mutation.renewSession': ANYONE,
  'Mutation.endRefusedSession': ANYONE,
  'Mutation.releaseSessionRenewal': ANYONE,
  'Mutation.sessionRefreshToken': ANYONE,
  'Mutation.endBrowserSession': 'account:own',
  'Mutation.changePassword': 'account:own',
  // The own ones; those of others need accounts:manage: the service decides.
  'Mutation.createApiToken': 'account:own',
  'Mutation.revokeApiToken': 'account:own',
}
