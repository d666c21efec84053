import { defineEntity, p } from '@mikro-orm/core'

/** The suite that stands for a component in an environment, so that its executions are one history. */
export const ComponentSuiteEntity = defineEntity({
  name: 'ComponentSuite',
  tableName: 'component_suite',
  properties: {
    componentId: p.string().primary(),
    environmentId: p.string().primary(),
    suiteId: p.string(),
  },
  uniques: [{ name: 'component_suite_suite_id_unique', properties: ['suiteId'] }],
})
