/** The subgraph that has the objects of each type; this one knows no more of them than their ids. */
export const OWNERS = {
  Channel: 'test-execution',
  Component: 'test-execution',
  Environment: 'test-execution',
  Event: 'events',
  ExecutionResult: 'test-execution',
  Receiver: 'test-execution',
  Rule: 'test-execution',
  Schedule: 'test-execution',
  Silence: 'test-execution',
  Suite: 'test-execution',
  TestCase: 'test-execution',
  Trigger: 'test-execution',
} as const satisfies Record<string, string>

export type NodeType = keyof typeof OWNERS

export const isNodeType = (name: string): name is NodeType => Object.hasOwn(OWNERS, name)
