import type { ArtifactKind } from './artifact.kind.ts'
import type { ArtifactServices } from './artifact.resolver.ts'
import { COMPONENT } from './component/component.kind.ts'
import { ComponentResolver } from './component/component.resolver.ts'
import { ENVIRONMENT } from './environment/environment.kind.ts'
import { EnvironmentResolver } from './environment/environment.resolver.ts'
import { SUITE } from './suite/suite.kind.ts'
import { SuiteResolver, SuitesOfTestCaseResolver } from './suite/suite.resolver.ts'
import { TESTCASE } from './testcase/testcase.kind.ts'
import { TestCaseResolver, TestCasesOfComponentResolver } from './testcase/testcase.resolver.ts'

/** Every kind of artifact, each behind those it refers to. A new one is a folder beside these, and a line here. */
export const KINDS: readonly ArtifactKind[] = [ENVIRONMENT, COMPONENT, TESTCASE, SUITE]

/** The resolvers of all kinds, and of what leads back from an artifact to those that name it. */
export const artifactResolvers = (services: ArtifactServices): object[] => [
  new EnvironmentResolver(services),
  new ComponentResolver(services),
  new TestCaseResolver(services),
  new TestCasesOfComponentResolver(services),
  new SuiteResolver(services),
  new SuitesOfTestCaseResolver(services),
]
