import { parseYaml } from '../../../schema/yaml.ts'
import { serveTasks } from '../../../subgraphs/platform/task-processes/serve-tasks.ts'

serveTasks(() => ({ parse: (text: string) => parseYaml(text, 'The request body') }))
