import { EventEmitter, on } from 'node:events'
import { gql, type Suite } from '../../../support/federation/suite.ts'

const runs = [
  {
    id: 'r1',
    state: 'RUNNING',
    weight: 2,
    owner: { id: 'o1' },
    steps: [{ id: 's1' }, { id: 's2' }],
    subject: { __typename: 'Case', id: 'c1' },
  },
  {
    id: 'r2',
    state: 'DONE',
    weight: 3,
    owner: null,
    steps: [],
    subject: { __typename: 'Part', id: 'p1' },
  },
  {
    id: 'r1',
    state: null,
    weight: null,
    owner: { id: 'o1' },
    steps: [{ id: 's1' }],
    subject: null,
  },
]

/** Subscriptions with fields of other subgraphs; each operation is run on three events. */
export const streams: Suite = {
  name: 'subscriptions',
  subgraphs: {
    runs: {
      sdl: gql`
        type Query { run: Run }
        type Subscription { runChanged(limit: Int): Run! ticked: Int }
        type Run @key(fields: "id") { id: ID! state: String weight: Int owner: Owner steps: [Step!] subject: Subject }
        type Owner @key(fields: "id", resolvable: false) { id: ID! }
        type Step @key(fields: "id") { id: ID! }
        union Subject = Case | Part
        type Case @key(fields: "id") { id: ID! }
        type Part @key(fields: "id") { id: ID! }
      `,
      resolvers: {
        Query: { run: () => runs[0] },
        Subscription: {
          runChanged: {
            subscribe: async function* (_root: unknown, { limit }: { limit?: number }) {
              for (const runChanged of runs.slice(0, limit ?? runs.length)) yield { runChanged }
            },
          },
          ticked: {
            subscribe: async function* () {
              yield { ticked: 1 }
            },
          },
        },
      },
    },
    reports: {
      sdl: gql`
        type Run @key(fields: "id") { id: ID! weight: Int @external report(lines: Int = 3): Report cost: Int @requires(fields: "weight") title: String! }
        type Report { text: String! run: Run }
        type Owner @key(fields: "id") { id: ID! name: String }
        type Step @key(fields: "id") { id: ID! log: String! }
        type Case @key(fields: "id") { id: ID! label: String }
      `,
      resolvers: {
        Run: {
          __resolveReference: (reference: object) => reference,
          report: ({ id }: { id: string }, { lines }: { lines: number }) => ({
            text: `${id}:${lines}`,
            run: { id },
          }),
          cost: ({ weight }: { weight?: number | null }) => (weight == null ? null : weight * 10),
          title: ({ id }: { id: string }) => (id === 'r2' ? null : `title of ${id}`),
        },
        Owner: { name: ({ id }: { id: string }) => `name of ${id}` },
        Step: { log: ({ id }: { id: string }) => (id === 's2' ? null : `log of ${id}`) },
        Case: { label: ({ id }: { id: string }) => `label of ${id}` },
      },
    },
  },
  operations: [
    {
      rule: 'one subgraph suffices',
      query: 'subscription { runChanged { id state } }',
      data: [
        { runChanged: { id: 'r1', state: 'RUNNING' } },
        { runChanged: { id: 'r2', state: 'DONE' } },
        { runChanged: { id: 'r1', state: null } },
      ],
    },
    {
      rule: 'fields of other subgraphs are resolved for each event, and keys stay hidden',
      query: 'subscription { runChanged { report { text run { state } } owner { name } cost } }',
      data: [
        {
          runChanged: {
            report: { text: 'r1:3', run: { state: null } },
            owner: { name: 'name of o1' },
            cost: 20,
          },
        },
        { runChanged: { report: { text: 'r2:3', run: { state: null } }, owner: null, cost: 30 } },
        {
          runChanged: {
            report: { text: 'r1:3', run: { state: null } },
            owner: { name: 'name of o1' },
            cost: null,
          },
        },
      ],
    },
    {
      rule: 'variables, aliases, fragments and conditions hold for each event',
      query: `subscription ($lines: Int, $limit: Int, $no: Boolean!) {
        a: runChanged(limit: $limit) { id: state x: report(lines: $lines) { text } ...F cost @include(if: $no) }
      } fragment F on Run { state: id subject { __typename ... on Case { label } } owner @skip(if: $no) { n: name } }`,
      variables: { lines: 9, limit: 2, no: false },
      data: [
        {
          a: {
            id: 'RUNNING',
            x: { text: 'r1:9' },
            state: 'r1',
            subject: { __typename: 'Case', label: 'label of c1' },
            owner: { n: 'name of o1' },
          },
        },
        {
          a: {
            id: 'DONE',
            x: { text: 'r2:9' },
            state: 'r2',
            subject: { __typename: 'Part' },
            owner: null,
          },
        },
      ],
      apolloFault: 'it sends an alias as the key',
    },
    {
      rule: 'a null that must not be one takes its own event alone',
      query: 'subscription { runChanged { title steps { id log } } }',
      data: [
        { runChanged: { title: 'title of r1', steps: null } },
        null,
        { runChanged: { title: 'title of r1', steps: [{ id: 's1', log: 'log of s1' }] } },
      ],
      errors: [
        { path: ['runChanged', 'steps', 1, 'log'], code: 'INTERNAL_SERVER_ERROR' },
        { path: ['runChanged', 'title'], code: 'INTERNAL_SERVER_ERROR' },
      ],
    },
  ],
}

/** A stream that never says anything. */
export const quiet: Pick<Suite, 'name' | 'subgraphs'> = {
  name: 'quiet stream',
  subgraphs: {
    quiet: {
      sdl: gql`
        type Query { a: Int }
        type Subscription { nothing: Int }
      `,
      resolvers: {
        Subscription: { nothing: { subscribe: () => on(new EventEmitter(), 'never') } },
      },
    },
  },
}
