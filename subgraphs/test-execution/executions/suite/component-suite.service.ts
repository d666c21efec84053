import { v7 as uuidv7 } from 'uuid'
import { AppError, notFound } from '../../../../formats/errors.ts'
import { MAX_PAGE_SIZE } from '../../../../platform/paging/page.ts'
import { type Artifact, attributesOf } from '../../artifacts/artifact.kind.ts'
import type { ArtifactService } from '../../artifacts/artifact.service.ts'
import { COMPONENT } from '../../artifacts/component/component.kind.ts'
import { ENVIRONMENT } from '../../artifacts/environment/environment.kind.ts'
import type { ArtifactListService } from '../../artifacts/list/artifact-list.service.ts'
import { SUITE } from '../../artifacts/suite/suite.kind.ts'
import { TESTCASE } from '../../artifacts/testcase/testcase.kind.ts'
import type { TestCase } from '../../artifacts/testcase/testcase.type.ts'
import type { ComponentSuiteRepository } from './component-suite.repository.ts'

/** The scenarios that test a component in an environment. */
export interface ComponentSuite {
  component: Artifact
  environment: Artifact
  testCases: TestCase[]
}

/** Keeps one suite for each component and environment: all scenarios that test the one in the other. */
export class ComponentSuiteService {
  constructor(
    private readonly artifacts: ArtifactService,
    private readonly lists: ArtifactListService,
    private readonly repository: ComponentSuiteRepository,
  ) {}

  /** Finds the content of the suite. @throws AppError NOT_FOUND: no such component or environment, or no scenario */
  async find(componentName: string, environmentId: string): Promise<ComponentSuite> {
    const component = await this.artifacts.findNamed(COMPONENT, componentName)
    if (!component)
      throw new AppError('NOT_FOUND', `No component has the name ${JSON.stringify(componentName)}`)
    const environment = await this.artifacts.find(ENVIRONMENT, environmentId)
    if (!environment) throw notFound(ENVIRONMENT.name, environmentId)
    const testCases = await this.#testCases(component, environment.id)
    if (testCases.length === 0) {
      const message = `No testcase tests the component ${component.id} in the environment ${environment.id}`
      throw new AppError('NOT_FOUND', message)
    }
    return { component, environment, testCases }
  }

  /**
   * Generates the suite, or brings the one there is up to date; what people changed of it otherwise stays.
   * @returns its id
   */
  async keep({ component, environment, testCases }: ComponentSuite): Promise<string> {
    const id = await this.#idFor(component.id, environment.id)
    const stored = await this.artifacts.find(SUITE, id)
    const ids = testCases.map((testCase) => testCase.id)
    if (stored) await this.#update(stored, ids)
    else await this.#create(id, component, environment, ids)
    return id
  }

  /** In the order of names. One without an environment runs in that of its component. */
  async #testCases(component: Artifact, environmentId: string): Promise<TestCase[]> {
    const isDeployedThere = component.environment === environmentId
    const owner = {
      componentUnderTest: component.id,
      environment: isDeployedThere ? [environmentId, null] : environmentId,
    }
    const testCases: TestCase[] = []
    const sort = [{ attribute: 'name', direction: 'ASC' as const }]
    for (let offset = 0; ; offset += MAX_PAGE_SIZE) {
      const request = { sort, first: MAX_PAGE_SIZE, offset }
      const page = this.lists.page(TESTCASE, request, false, owner)
      const { nodes, pageInfo } = await page.items()
      // The attributes of its kind were checked when it was stored.
      testCases.push(...nodes.map((node) => node as unknown as TestCase))
      if (!pageInfo.hasNextPage) return testCases
    }
  }

  /** The first environment of a component gets the short id. */
  async #idFor(componentId: string, environmentId: string): Promise<string> {
    const short = `component_${componentId}`
    for (const id of [short, `${short}~${environmentId}`, uuidv7()]) {
      const known = await this.repository.find(componentId, environmentId)
      if (known) return known
      if (id.length <= 255 && !(await this.#isTaken(id)))
        await this.repository.claim(componentId, environmentId, id)
    }
    return (
      (await this.repository.find(componentId, environmentId)) ??
      Promise.reject(new Error(`No id could be had for the suite of ${componentId}`))
    )
  }

  async #isTaken(id: string): Promise<boolean> {
    return Boolean(
      (await this.artifacts.find(SUITE, id)) ?? (await this.artifacts.find(TESTCASE, id)),
    )
  }

  async #update(suite: Artifact, testCases: string[]): Promise<void> {
    if (JSON.stringify(suite.testCases) === JSON.stringify(testCases)) return
    await this.artifacts.replace(SUITE, suite.id, { ...attributesOf(suite), testCases })
  }

  async #create(
    id: string,
    component: Artifact,
    environment: Artifact,
    testCases: string[],
  ): Promise<void> {
    const name = `${component.name.slice(0, 100)} in ${environment.name.slice(0, 100)}`
    const description = `Every testcase that tests ${component.name} in ${environment.name}; generated`
    const taken = await this.artifacts.findNamed(SUITE, name)
    const input = { id, name: taken ? `${name} (${uuidv7()})` : name, description, testCases }
    await this.artifacts.create(SUITE, input).catch(async (error) => {
      // Somebody who asked at the same time was faster.
      if (!(await this.artifacts.find(SUITE, id))) throw error
    })
  }
}
