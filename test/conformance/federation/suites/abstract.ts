import { gql, type Suite } from '../../../support/federation/suite.ts'

const media = [
  { __typename: 'Book', id: 'm1', title: 'Emma', pages: 400 },
  { __typename: 'Film', id: 'm2', title: 'Heat', minutes: 170 },
  { __typename: 'Song', id: 'm3', title: 'Help', minutes: 2 },
]

const mediumOf = ({ id }: { id: string }) => media.find((medium) => medium.id === id) ?? null

/** Interfaces and unions whose types and fields lie in several subgraphs. */
export const abstractTypes: Suite = {
  name: 'interfaces and unions',
  subgraphs: {
    library: {
      sdl: gql`
        type Query { media: [Media] found: [Found!]! shelf(kind: Kind): Media }
        enum Kind { BOOK FILM }
        interface Media { id: ID! title: String }
        type Book implements Media @key(fields: "id") { id: ID! title: String! @shareable pages: Int }
        type Film implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
        type Song implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
        type Nothing { why: String }
        union Found = Book | Film | Nothing
      `,
      resolvers: {
        Query: {
          media: () => [media[0], null, media[1], media[2]],
          found: () => [media[1], { __typename: 'Nothing', why: 'lost' }, media[0]],
          shelf: (_root: unknown, { kind }: { kind?: string }) =>
            kind === 'FILM' ? media[1] : media[0],
        },
        Book: { __resolveReference: mediumOf },
        Film: { __resolveReference: mediumOf },
        Song: { __resolveReference: mediumOf },
      },
    },
    critics: {
      sdl: gql`
        interface Rated { score: Int }
        type Book implements Rated @key(fields: "id") { id: ID! score: Int best: Ranked }
        type Film implements Rated @key(fields: "id") { id: ID! score: Int sequel: Film }
        union Ranked = Book | Film
      `,
      resolvers: {
        Book: {
          score: ({ id }: { id: string }) => Number(id.slice(1)) * 10,
          best: () => ({ __typename: 'Film', id: 'm2' }),
        },
        Film: {
          score: () => 5,
          sequel: ({ id }: { id: string }) => (id === 'm2' ? { id: 'm9' } : null),
        },
      },
    },
    prices: {
      sdl: gql`
        type Film @key(fields: "id") { id: ID! price: Int! }
        type Song @key(fields: "id") { id: ID! price: Int }
        type Book @key(fields: "id", resolvable: false) { id: ID! title: String @shareable }
      `,
      resolvers: {
        Film: { price: ({ id }: { id: string }) => (id === 'm9' ? null : 12) },
        Song: { price: () => 1 },
      },
    },
  },
  operations: [
    {
      rule: 'objects of a list get the fields of their type, from the subgraphs of their type',
      query: `{ media { __typename title ... on Book { pages score } ... on Film { score price } ... on Song { cost: price } } }`,
      data: {
        media: [
          { __typename: 'Book', title: 'Emma', pages: 400, score: 10 },
          null,
          { __typename: 'Film', title: 'Heat', score: 5, price: 12 },
          { __typename: 'Song', title: 'Help', cost: 1 },
        ],
      },
    },
    {
      rule: 'an interface of another subgraph narrows the selected objects',
      query: '{ media { ... on Rated { score } } }',
      data: { media: [{ score: 10 }, null, { score: 5 }, {}] },
    },
    {
      rule: 'the same key may mean different fields of different types',
      query:
        '{ found { ... on Book { x: title y: pages } ... on Film { x: title y: minutes } ... on Nothing { x: why } } }',
      data: { found: [{ x: 'Heat', y: 170 }, { x: 'lost' }, { x: 'Emma', y: 400 }] },
    },
    {
      rule: 'a union leads on to entities of other subgraphs',
      query: '{ found { ... on Book { best { ... on Film { title price } } } } }',
      data: { found: [{}, {}, { best: { title: 'Heat', price: 12 } }] },
    },
    {
      rule: 'a null that must not be one takes its object with it, with an error at its place',
      query: '{ media { ... on Film { title sequel { id price } } } }',
      data: { media: [{}, null, { title: 'Heat', sequel: null }, {}] },
      errors: [{ path: ['media', 2, 'sequel', 'price'], code: 'INTERNAL_SERVER_ERROR' }],
    },
    {
      rule: 'fragments of every kind meet in one object',
      query: `
        query ($withPages: Boolean!, $kind: Kind) { shelf(kind: $kind) { ...Title ... @include(if: $withPages) { ... on Book { pages } } ... on Media { id } } }
        fragment Title on Media { title ...Score }
        fragment Score on Rated { score }`,
      variables: { withPages: true },
      data: { shelf: { title: 'Emma', score: 10, pages: 400, id: 'm1' } },
    },
  ],
}

const animals = [
  { __typename: 'Cat', id: 'a1', name: 'Tom', lives: 9 },
  { __typename: 'Dog', id: 'a2', name: 'Rex', lives: null },
]

/** `@interfaceObject`. */
export const interfaceObjects: Suite = {
  name: 'interface objects',
  notRandom: 'it calls objects by the name of their interface',
  subgraphs: {
    zoo: {
      sdl: gql`
        type Query { animals: [Animal!]! oldest: Animal }
        interface Animal @key(fields: "id") { id: ID! name: String }
        type Cat implements Animal @key(fields: "id") { id: ID! name: String lives: Int! }
        type Dog implements Animal @key(fields: "id") { id: ID! name: String }
      `,
      resolvers: {
        Query: {
          animals: () => animals,
          oldest: () => animals[1],
        },
        Animal: {
          __resolveReference: ({ id }: { id: string }) =>
            animals.find((animal) => animal.id === id) ?? null,
        },
        Cat: {
          __resolveReference: ({ id }: { id: string }) =>
            animals.find((animal) => animal.id === id) ?? null,
        },
        Dog: {
          __resolveReference: ({ id }: { id: string }) =>
            animals.find((animal) => animal.id === id) ?? null,
        },
      },
    },
    vet: {
      sdl: gql`
        type Query { patients: [Animal!]! nextPatient: Animal }
        type Animal @key(fields: "id") @interfaceObject {
          id: ID! name: String @external weight: Int chart(unit: String): String @requires(fields: "name")
        }
      `,
      resolvers: {
        Query: {
          patients: () => [{ id: 'a2' }, { id: 'a1' }, { id: 'a0' }],
          nextPatient: () => ({ id: 'a1' }),
        },
        Animal: {
          __resolveReference: (reference: object) => reference,
          weight: ({ id }: { id: string }) => Number(id.slice(1)) * 7,
          chart: ({ name }: { name?: string }, { unit }: { unit?: string }) =>
            `chart of ${name}${unit ?? ''}`,
        },
      },
    },
  },
  operations: [
    {
      rule: 'an interface gets fields from a subgraph that knows none of its types',
      query: '{ animals { name weight chart(unit: "kg") } }',
      data: {
        animals: [
          { name: 'Tom', weight: 7, chart: 'chart of Tomkg' },
          { name: 'Rex', weight: 14, chart: 'chart of Rexkg' },
        ],
      },
    },
    {
      rule: 'the type of an interface object is found out where it is asked for',
      query: '{ nextPatient { __typename id weight ... on Cat { lives } } }',
      data: { nextPatient: { __typename: 'Cat', id: 'a1', weight: 7, lives: 9 } },
    },
    {
      rule: 'the type of an interface object stays unknown unless it is selected',
      query: '{ patients { id weight } }',
      data: {
        patients: [
          { id: 'a2', weight: 14 },
          { id: 'a1', weight: 7 },
          { id: 'a0', weight: 0 },
        ],
      },
    },
    {
      rule: 'an object keeps the name of its type where its interface is one object elsewhere',
      query:
        '{ oldest { ... on Dog { __typename weight } } animals { __typename ... on Cat { weight } } }',
      data: {
        oldest: { __typename: 'Dog', weight: 14 },
        animals: [{ __typename: 'Cat', weight: 7 }, { __typename: 'Dog' }],
      },
      apolloFault:
        'it calls the object by the name of the interface, and drops what belongs to its type',
    },
    {
      rule: 'fields of one type of the interface come along',
      query: '{ oldest { ... on Dog { weight name } ... on Cat { weight lives } } }',
      data: { oldest: { weight: 14, name: 'Rex' } },
    },
    {
      rule: 'a required field of one type does not send objects of the others along',
      query: '{ animals { ... on Cat { chart } name } }',
      data: { animals: [{ chart: 'chart of Tom', name: 'Tom' }, { name: 'Rex' }] },
      apolloFault: 'it sends the other objects without a key, and the whole fetch fails',
    },
  ],
}

/** An interface that no type implements, so that nothing leads from one subgraph to the other. */
export const unreachable: Suite = {
  name: 'unreachable fields',
  subgraphs: {
    castle: {
      sdl: gql`
        type Query { ghost: Ghost }
        interface Ghost @key(fields: "id") { id: ID! }
      `,
      resolvers: { Query: { ghost: () => ({ __typename: 'Ghost', id: 'g1' }) } },
    },
    hunters: {
      sdl: gql`
        type Query { haunting: Ghost }
        type Ghost @key(fields: "id", resolvable: false) @interfaceObject { id: ID! chill: Int }
      `,
      resolvers: { Query: { haunting: () => ({ __typename: 'Ghost', id: 'g1', chill: 3 }) } },
    },
  },
  notRandom: 'the planner fails for some of its operations',
  operations: [
    {
      rule: 'an interface that no type implements is read from its interface object',
      query: '{ haunting { id chill } }',
      data: { haunting: { id: 'g1', chill: 3 } },
    },
    {
      rule: 'what no subgraph can answer is an error, not a silent null',
      query: '{ ghost { chill } }',
      data: null,
      errors: [{ path: ['ghost'], code: 'DOWNSTREAM_SERVICE_ERROR' }],
      apolloFault: 'its plan is empty, and it answers null without an error',
    },
    {
      rule: 'what no subgraph can answer does not keep the rest from being answered',
      query: '{ ghost { chill } haunting { chill } }',
      data: { ghost: null, haunting: { chill: 3 } },
      errors: [{ path: ['ghost'], code: 'DOWNSTREAM_SERVICE_ERROR' }],
      apolloFault: 'it answers null without an error',
    },
  ],
}
