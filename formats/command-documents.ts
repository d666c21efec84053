/**
 * All GraphQL documents of the command `assay`, by name. They run also where only trusted documents do: there the text
 * of a document is compared, so a command of another version may be refused.
 */
export const COMMAND_DOCUMENTS = {
  environments: `query Environments($id: ID!) {
  executionResult(id: $id) { testCaseResults { id environmentId } }
}`,
  lines: `query Lines($id: ID!) {
  executionResult(id: $id) {
    codeCoverage { componentName coveragePercentage hitLines untouchedLines }
  }
}`,
  marks: `query Marks($id: ID!) {
  executionResult(id: $id) { ...Own skippedScenarios { name reason } testCaseResults { ...Own } }
}
fragment Own on ExecutionResult { contextName isFlaky isQuarantined state }`,
  progress: `query Progress($id: ID!) {
  executionResult(id: $id) { contextId started state progress { queuePosition scenarios scenariosEnded } }
}`,
  earlier: `query Earlier($contextId: ID!) {
  executionResults(first: 1, filter: { contextId: $contextId, states: [COMPLETED, FAILED] }) { nodes { steps { id } } }
}`,
  watch: `subscription Watch($id: ID!, $after: String) {
  executionUpdated(id: $id, after: $after) {
    cursor kind log
    step { id: stepId name state message }
    execution { type state message progress { queuePosition scenarios scenariosEnded } }
  }
}`,
  place: 'query Place { eventCursor }',
  tail: `subscription Tail($query: String, $after: String) {
  eventReceived(query: $query, after: $after) { cursor event { id title message severity status timesSeen } }
}`,
} as const

/** A query or subscription of the command. */
export type CommandDocument = keyof typeof COMMAND_DOCUMENTS
