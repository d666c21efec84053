import type { ArtifactServices } from './artifact.resolver.ts'
import { ComponentResolver } from './component/component.resolver.ts'
import { EnvironmentResolver } from './environment/environment.resolver.ts'
import { SuiteResolver, SuitesOfTestCaseResolver } from './suite/suite.resolver.ts'
import { TestCaseResolver, TestCasesOfComponentResolver } from './testcase/testcase.resolver.ts'

/** The resolvers of all kinds, and of what leads back from an artifact to those that name it. */
export const artifactResolvers = (services: ArtifactServices): object[] => [
  new EnvironmentResolver(services),
  new ComponentResolver(services),
  new TestCaseResolver(services),
  new TestCasesOfComponentResolver(services),
  new SuiteResolver(services),
  new SuitesOfTestCaseResolver(services),
]
