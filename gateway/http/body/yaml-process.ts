import { parseYaml } from '../../../formats/yaml.ts'
import { serveTasks } from '../../../platform/task-processes/serve-tasks.ts'

serveTasks(() => ({ parse: (text: string) => parseYaml(text, 'The request body') }))
