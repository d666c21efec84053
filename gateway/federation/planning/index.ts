/** What plans operations, for a process that does nothing else. */
export { applyApolloFixes } from '../apollo-fixes/apply.ts'
export { createPlanner } from './planner.ts'
