/** An operation that the page opens in a tab; `variables` is JSON. */
export interface Example {
  query: string
  variables?: string
}

/** Examples for a first look at our graph. */
export const EXAMPLES: readonly Example[] = [
  {
    query: `# Scenarios and the events of their executions:
# two subgraphs, one answer.
query Scenarios($first: Int = 10) {
  testCases(first: $first) {
    totalCount
    nodes {
      id
      name
      componentUnderTest { name }
      events(first: 3) {
        nodes { title status timesSeen }
      }
    }
  }
}
`,
  },
  {
    query: `# Runs a scenario, and answers when it has ended.
# Its end becomes an event: see "Watch".
mutation Execute($input: ExecuteInput!) {
  execute(input: $input) {
    id
    state
    message
    validationFailures { name message }
    codeCoverage { componentName coveragePercentage }
  }
}
`,
    variables: `{
  "input": {
    "contextId": "loan-schedule",
    "wait": true,
    "credentials": { "userId": "graphiql", "password": "secret" }
  }
}`,
  },
  {
    query: `# Shows events as they come, over WebSocket.
# Start it, then execute something elsewhere.
subscription Watch($query: String) {
  eventReceived(query: $query) {
    cursor
    isNew
    event {
      title
      status
      timesSeen
      execution { state codeCoverage { coveragePercentage } }
    }
  }
}
`,
    variables: '{ "query": null }',
  },
  {
    query: `# Shows the steps and the log of one execution,
# from the first on. Put its id below.
subscription Follow($id: ID!) {
  executionUpdated(id: $id, after: "") {
    cursor
    kind
    step { name state message }
    log
    execution { state message }
  }
}
`,
    variables: '{ "id": "…" }',
  },
]
