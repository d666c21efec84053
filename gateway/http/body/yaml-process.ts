import { parseYaml } from '../../../schema/yaml.ts'
import { serveTasks } from '../../../subgraphs/shared/task-processes/serve-tasks.ts'

serveTasks(() => ({ parse: (text: string) => parseYaml(text, 'The request body') }))
