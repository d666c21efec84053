/** An object of the graph, whichever subgraph has it. */
export interface NodeKey {
  type: string
  id: string
}

/** Unique in the graph; the ids of the contracts are unique among objects of one type at most. Opaque to clients. */
export const nodeIdOf = ({ type, id }: NodeKey): string =>
  Buffer.from(`${type}:${id}`).toString('base64url')

/** @returns null for what `nodeIdOf` does not write */
export function readNodeId(nodeId: string): NodeKey | null {
  const [, type, id] = /^(\w+):(.+)$/s.exec(Buffer.from(nodeId, 'base64url').toString()) ?? []
  if (type === undefined || id === undefined) return null
  return nodeIdOf({ type, id }) === nodeId ? { type, id } : null
}
