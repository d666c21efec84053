import { Edge, QueryGraph, type Vertex } from '@apollo/query-graphs'
import { overriding } from './fix.ts'

/**
 * Defect: below a field that provides a field of an interface object, no fragment on a type of the interface can be
 * planned. The graph of the planner has a vertex of its own for such an object. That one lacks the edges to the types,
 * because these are added to the vertex that it was copied from, afterwards.
 *
 *     a: type Query { a: String } interface M @key(fields: "id") { id: ID! } type A1 implements M …
 *     b: type Query { m: M @provides(fields: "c") } type M @key(fields: "id") @interfaceObject { id: ID! c: String @external }
 *     c: type M @key(fields: "id") @interfaceObject { id: ID! c: String @shareable }
 *     { m { ... on A1 { c } } } → We should have an edge from M(b)-1 for __typename
 *
 * Text to file: "Copies of an interface object for @provides lack InterfaceObjectFakeDownCast edges".
 * Can go when federateSubgraphs adds these before it copies.
 */
export const providedInterfaceObjects = overriding(
  () => QueryGraph.prototype,
  'roots',
  (roots) =>
    function (this: QueryGraph) {
      complete(this) // its constructor calls this before it looks at edges
      return roots.call(this)
    },
)

function complete(graph: QueryGraph): void {
  const originals = new Map<string, readonly Edge[]>()
  for (const vertex of graph.vertices) {
    const casts = edgesOf(graph, vertex).filter(isCast)
    if (casts.length > 0) originals.set(nameOf(vertex), casts)
  }
  for (const vertex of graph.vertices) {
    const edges = edgesOf(graph, vertex)
    if (vertex.provideId === undefined || edges.some(isCast)) continue
    // Fields behind a type are asked for by a key, where nothing is provided any more.
    for (const { tail, transition, conditions } of originals.get(nameOf(vertex)) ?? [])
      edges.push(new Edge(edges.length, vertex, tail, transition, conditions))
  }
}

const nameOf = ({ type, source }: Vertex): string => `${type}(${source})`

/** All edges from a vertex, and not a copy. */
const edgesOf = (graph: QueryGraph, vertex: Vertex): Edge[] =>
  graph.outEdges(vertex, true) as Edge[] // the graph's own list

const isCast = ({ transition }: Edge): boolean => transition.kind === 'InterfaceObjectFakeDownCast'
