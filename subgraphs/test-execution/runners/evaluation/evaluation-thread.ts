import { serveTasks } from '../../../shared/threads/serve-tasks.ts'
import { EVALUATION_TASKS } from './evaluation-tasks.ts'

serveTasks({ ...EVALUATION_TASKS })
