import { serveTasks } from '../../platform/task-processes/serve-tasks.ts'
import { EVALUATION_TASKS } from './evaluation-tasks.ts'

serveTasks(() => ({ ...EVALUATION_TASKS }))
