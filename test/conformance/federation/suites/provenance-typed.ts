import { provenanceGraph } from '../../../support/federation/provenance-graph.ts'
import { gql } from '../../../support/federation/suite.ts'

const VALUES = gql`type O @shareable { y(w: Int): String z: String }`

const NAMED = gql`
  interface N { s: String }
  type C implements N @shareable { s: String y: String }
  type D implements N @shareable { s: String }
  type O @shareable { y: String }
  union U = C | D`

const BY_TYPE = gql`
  interface N { x(v: Int): String u: U }
  type A implements N @shareable { x(v: Int): String u: U q(k: Int): O }
  type B implements N @shareable { x(v: Int): String u: U q(k: Int): O }
  type O @shareable { y: String z: String }
  union U = A | B`

/** Graphs where types decide what is required, what a field is, and who is asked for it. */
export const TYPED = [
  provenanceGraph('types that are required', {
    a: gql`
      type Query { ps: [P!]! p(n: Int): P }
      type P @key(fields: "id") { id: ID! n: N ns: [N] nss: [[N]] o: O u: U }
      ${NAMED}`,
    b: gql`
      type P @key(fields: "id") {
        id: ID! n: N @external ns: [N] @external nss: [[N]] @external o: O @external u: U @external
        b1: String @requires(fields: "n { __typename }")
        b2: String @requires(fields: "ns { __typename }")
        b3: String @requires(fields: "o { __typename }")
        b4: String @requires(fields: "nss { __typename ... on C { y } } u { __typename }")
        b5: String @requires(fields: "n { ... on C { __typename y } s }")
        b6(k: Int): String
      }
      ${NAMED}`,
  }),
  provenanceGraph('one field required with other arguments for each type', {
    a: gql`
      type Query { ps: [P!]! p(n: Int): P }
      type P @key(fields: "id") { id: ID! u: U us: [U] n: N }
      ${BY_TYPE}`,
    b: gql`
      type P @key(fields: "id") {
        id: ID! u: U @external us: [U] @external n: N @external
        b1: String @requires(fields: "u { ... on A { x(v: 1) } ... on B { x(v: 2) } }")
        b2: String @requires(fields: "u { ... on A { x(v: 2) } ... on B { x(v: 1) } }")
        b3: String @requires(fields: "us { ... on A { x(v: 1) } ... on B { q(k: 1) { y } } }")
        b4: String @requires(fields: "us { ... on A { x(v: 1) q(k: 2) { z } } ... on B { q(k: 1) { z } } }")
        b5: String @requires(fields: "n { x(v: 1) ... on A { u { ... on B { x(v: 3) } } } ... on B { u { ... on B { x(v: 4) } } } }")
        b6: String @requires(fields: "n { x(v: 2) ... on A { u { ... on A { x(v: 3) } } } }")
        b7(k: Int): String
      }
      ${BY_TYPE}`,
  }),
  provenanceGraph('one composite field required with several arguments', {
    a: gql`
      type Query { ps: [P!]! p(n: Int): P }
      type P @key(fields: "id") { id: ID! qs(k: Int): [O!] q(k: Int): O qss(k: Int): [[O]] }
      ${VALUES}`,
    b: gql`
      type P @key(fields: "id") {
        id: ID! qs(k: Int): [O!] @external q(k: Int): O @external qss(k: Int): [[O]] @external
        b1: String @requires(fields: "qs(k: 1) { z }")
        b2: String @requires(fields: "qs(k: 2) { y }")
        b3: String @requires(fields: "qs(k: 1) { y(w: 1) }")
        b4: String @requires(fields: "q(k: 1) { z } qss(k: 1) { y }")
        b5: String @requires(fields: "q(k: 2) { y } qss { z }")
        b6: String @requires(fields: "q { y(w: 2) }")
        b7(k: Int): String
      }
      ${VALUES}`,
  }),
  provenanceGraph('fields that types narrow in other subgraphs', {
    a: gql`
      type Query { ns: [N] n(k: Int): N }
      interface N { id: ID! rel: N rels: [N] s(v: Int): String }
      type A implements N @key(fields: "id") { id: ID! rel: A @external rels: [A] s(v: Int): String }
      type B implements N @key(fields: "id") { id: ID! rel: N rels: [C] @external s(v: Int): String t: String }
      type C implements N @key(fields: "id") { id: ID! rel: B rels: [N] s(v: Int): String }`,
    b: gql`
      type Query { bs: [B] }
      type A @key(fields: "id") { id: ID! rel: A }
      type B @key(fields: "id") {
        id: ID! rels: [C] t: String @external s(v: Int): String @external
        b1: String @requires(fields: "t")
      }
      type C @key(fields: "id") {
        id: ID! s(v: Int): String @external rel: B @external
        b1: String @requires(fields: "s(v: 1)")
        b2: [String] @requires(fields: "rel { s(v: 2) }")
      }`,
  }),
  provenanceGraph('root types with names of their own', {
    a: gql`
      schema { query: OwnQuery mutation: OwnMutation subscription: OwnSubscription }
      type OwnQuery { ps: [P!]! p(n: Int): P self(n: Int): OwnQuery }
      type OwnMutation { addP(n: Int): P query: OwnQuery }
      type OwnSubscription { p(n: Int): P q: OwnQuery }
      type P @key(fields: "id") { id: ID! x(v: Int): String root: OwnQuery }`,
    b: gql`
      schema { query: Query mutation: OwnMutation }
      type Query { bps: [P] }
      type OwnMutation { addB: [P] }
      type P @key(fields: "id") {
        id: ID! x(v: Int): String @external
        b1: String @requires(fields: "x(v: 1)")
        b2(k: Int): P
      }`,
  }),
  provenanceGraph('fields that move to another subgraph for some requests', {
    a: gql`
      type Query { ps: [P!]! }
      type P @key(fields: "id") { id: ID! x(v: Int): String q: P y: String z: String @shareable }`,
    b: gql`
      type P @key(fields: "id") {
        id: ID! x(v: Int): String @override(from: "a", label: "percent(50)")
        q: P @override(from: "a", label: "percent(30)")
        z: String @shareable
        b1: String
      }`,
    c: gql`
      type P @key(fields: "id") {
        id: ID! y: String @external b1: String @external
        c1: String @requires(fields: "y")
        c2: String @requires(fields: "b1 y")
        c3: [P]
      }`,
  }),
]
