import type { EntityManager } from '@mikro-orm/postgresql'
import { ComponentSuiteEntity } from './component-suite.entity.ts'

/** Which suite was generated for a component in an environment. */
export class ComponentSuiteRepository {
  constructor(private readonly em: EntityManager) {}

  async find(componentId: string, environmentId: string): Promise<string | null> {
    const row = await this.em.fork().findOne(ComponentSuiteEntity, { componentId, environmentId })
    return row?.suiteId ?? null
  }

  /** Takes an id for good, unless it is another pair's, or the pair has one. */
  async claim(componentId: string, environmentId: string, suiteId: string): Promise<void> {
    const row = { componentId, environmentId, suiteId }
    await this.em
      .fork()
      .createQueryBuilder(ComponentSuiteEntity)
      .insert(row)
      .onConflict()
      .ignore()
      .execute()
  }
}
