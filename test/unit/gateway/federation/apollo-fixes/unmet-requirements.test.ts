import type { FetchNode } from '@apollo/query-planner'
import { buildASTSchema, parse } from 'graphql'
import { withRequiredFields } from '../../../../../gateway/federation/apollo-fixes/required-arguments/required-fields.ts'
import { assertRequirementsMet } from '../../../../../gateway/federation/apollo-fixes/unmet-requirements.ts'

const SUPERGRAPH = parse(`
  type Query { ps: [P] _entities(representations: [String!]!): [P] }
  type P @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
    id: ID!
    x: String @join__field(graph: A) @join__field(graph: B, external: true)
    y: String @join__field(graph: B, requires: "x")
    z: String @join__field(graph: B)
  }`)

const fetchOf = (operation: string, requires?: FetchNode['requires']): FetchNode => ({
  kind: 'Fetch',
  serviceName: 'b',
  operation,
  operationName: undefined,
  operationKind: 'query' as FetchNode['operationKind'],
  ...(requires ? { requires } : {}),
})

const check = (node: FetchNode) =>
  assertRequirementsMet(
    { kind: 'Sequence', nodes: [{ kind: 'Flatten', path: ['ps', '@'], node }] },
    withRequiredFields(SUPERGRAPH),
    (service) => service.toUpperCase(),
    buildASTSchema(SUPERGRAPH, { assumeValidSDL: true }),
  )

const ENTITIES = '{ _entities(representations: ["{}"]) { ... on P { y z } } }'

test('a field is asked with what it requires', () => {
  check(
    fetchOf(ENTITIES, [
      { kind: 'Field', name: 'id' },
      { kind: 'Field', name: 'x' },
    ]),
  )
  check(fetchOf('{ ps { id z } }'))
})

test.each([fetchOf('{ ps { y } }'), fetchOf(ENTITIES, [{ kind: 'Field', name: 'id' }])])(
  'a field that is asked without is a fault',
  (node) => {
    expect(() => check(node)).toThrow('The plan asks B for P.y without x')
  },
)
