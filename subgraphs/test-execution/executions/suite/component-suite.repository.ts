import type { EntityManager } from '@mikro-orm/postgresql'
import { runSql } from '../../../../platform/database/sql.ts'
import { ComponentSuiteEntity } from './component-suite.entity.ts'

/** Suites that were generated for a component in an environment. */
export class ComponentSuiteRepository {
  constructor(private readonly em: EntityManager) {}

  async find(componentId: string, environmentId: string): Promise<string | null> {
    const row = await this.em.fork().findOne(ComponentSuiteEntity, { componentId, environmentId })
    return row?.suiteId ?? null
  }

  /** Takes an id for good, unless it is another pair's, or the pair has one. */
  async claim(componentId: string, environmentId: string, suiteId: string): Promise<void> {
    await runSql(this.em, CLAIM, [componentId, environmentId, suiteId])
  }
}

const CLAIM = `
  insert into test_execution.component_suite (component_id, environment_id, suite_id) values ($1, $2, $3)
  on conflict do nothing`
