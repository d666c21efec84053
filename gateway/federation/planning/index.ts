/** Exports for a process that only plans operations. */
export { applyApolloFixes } from '../apollo-fixes/apply.ts'
export { createPlanner } from './planner.ts'
