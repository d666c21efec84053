import { provenanceGraph } from '../../../support/federation/provenance-graph.ts'
import { gql } from '../../../support/federation/suite.ts'

const VALUES = gql`type O @shareable { y(w: Int): String z: String }`

/** Graphs where what one field requires may get in the way of what another requires, or of what clients ask for. */
export const REQUIRING = [
  provenanceGraph('the same fields required with several arguments', {
    a: gql`
      type Query { ps: [P!]! p(n: Int): P }
      type P @key(fields: "id") { id: ID! x(v: Int): String o: O os: [O] }
      ${VALUES}`,
    b: gql`
      type P @key(fields: "id") {
        id: ID! x(v: Int): String @external o: O @external os: [O] @external
        b1: String @requires(fields: "x(v:1)")
        b2: String @requires(fields: "x(v:2)")
        b3: String @requires(fields: "o { y(w:2) z }")
        b4: String @requires(fields: "os { y(w:1) }")
        b5: String @requires(fields: "os { y(w:2) z } x")
        b6(k: Int): String
      }
      ${VALUES}`,
  }),
  provenanceGraph('required fields that require others with other arguments', {
    a: gql`
      type Query { ps: [P!]! p(n: Int): P }
      type P @key(fields: "id") { id: ID! x(v: Int): String o: O }
      ${VALUES}`,
    b: gql`
      type P @key(fields: "id") {
        id: ID! x(v: Int): String @external o: O @external
        b1: String @requires(fields: "x(v:1)")
        b2(k: Int): String @requires(fields: "x(v:2) o { y(w:1) }")
        b3(k: Int): String
      }
      ${VALUES}`,
    c: gql`
      type P @key(fields: "id") {
        id: ID! x(v: Int): String @external b2(k: Int): String @external b1: String @external
        c1: String @requires(fields: "b2(k:1)")
        c2: String @requires(fields: "b2(k:2) b1")
        c3: String @requires(fields: "x(v:1) b2(k:1)")
        c4: String @requires(fields: "x")
      }`,
  }),
  provenanceGraph('fields that an interface object requires', {
    a: gql`
      type Query { ms: [M!]! m(n: Int): M a1: A1 }
      interface M @key(fields: "id") { id: ID! x(v: Int): String y: String }
      type A1 implements M @key(fields: "id") { id: ID! x(v: Int): String y: String t: String }
      type A2 implements M @key(fields: "id") { id: ID! x(v: Int): String y: String u(k: Int): String }`,
    b: gql`
      type Query { bm(n: Int): M bms: [M] }
      type M @key(fields: "id") @interfaceObject {
        id: ID! x(v: Int): String @external y: String @external
        b1: String @requires(fields: "x(v:1)")
        b2: String @requires(fields: "y")
        b3(k: Int): String
        b4: [M]
      }`,
    c: gql`
      type A1 @key(fields: "id") {
        id: ID! t: String @external
        c1: String @requires(fields: "t")
        c2(k: Int): String
      }`,
  }),
  provenanceGraph('fields that one interface object after another requires', {
    a: gql`
      type Query { ms: [M] }
      interface M @key(fields: "id") { id: ID! x(v: Int): String }
      type A1 implements M @key(fields: "id") { id: ID! x(v: Int): String t: String }
      type A2 implements M @key(fields: "id") { id: ID! x(v: Int): String }`,
    b: gql`
      type Query { bms: [M] }
      type M @key(fields: "id") @interfaceObject {
        id: ID! x(v: Int): String @external
        b1(k: Int): String @requires(fields: "x(v:1)")
        b2: String
      }`,
    c: gql`
      type M @key(fields: "id") @interfaceObject {
        id: ID! b1(k: Int): String @external b2: String @external x(v: Int): String @external
        c1: String @requires(fields: "b1(k:1) x(v:2)")
        c2: String @requires(fields: "b2")
        c3: String
      }`,
  }),
  provenanceGraph('required fields of entities that other subgraphs know', {
    a: gql`
      type Query { ps: [P!]! }
      type P @key(fields: "id") { id: ID! q: Q qs: [Q] }
      type Q @key(fields: "id") { id: ID! }`,
    b: gql`
      type Q @key(fields: "id") { id: ID! n(v: Int): String r: R }
      type R @shareable { s(v: Int): String }`,
    c: gql`
      type P @key(fields: "id") {
        id: ID! q: Q @external qs: [Q] @external
        c1: String @requires(fields: "q { n(v:1) }")
        c2: String @requires(fields: "q { n(v:2) r { s(v:1) } }")
        c3: String @requires(fields: "qs { n(v:3) }")
        c4(k: Int): String @requires(fields: "qs { n }")
      }
      type Q @key(fields: "id") {
        id: ID! n(v: Int): String @external r: R @external
        d1: String @requires(fields: "n(v:1)")
      }
      type R @shareable { s(v: Int): String }`,
  }),
  provenanceGraph('required fields of the types of a union', {
    a: gql`
      type Query { us: [U] n: [N] }
      union U = P | Q | V
      interface N { id: ID! s(v: Int): String }
      type P implements N @key(fields: "id") { id: ID! s(v: Int): String }
      type Q implements N @key(fields: "id") { id: ID! s(v: Int): String p: P }
      type V { w(v: Int): String }`,
    b: gql`
      type P @key(fields: "id") {
        id: ID! s(v: Int): String @external
        m: String @requires(fields: "s(v:1)")
        m2: String @requires(fields: "s(v:2)")
        same: String
      }
      type Q @key(fields: "id") {
        id: ID! s(v: Int): String @external
        m: String @requires(fields: "s(v:3)")
        u: U2
        same: [P]
      }
      union U2 = P | Q`,
  }),
  provenanceGraph('required fields that another subgraph took over', {
    a: gql`
      type Query { ps: [P!]! }
      type P @key(fields: "id") { id: ID! x(v: Int): String y: String }`,
    b: gql`
      type Query { bps: [P] }
      type P @key(fields: "id") { id: ID! x(v: Int): String @override(from: "a") z(k: Int): String @shareable }`,
    c: gql`
      type P @key(fields: "id") {
        id: ID! x(v: Int): String @external y: String @external z(k: Int): String @shareable
        c1: String @requires(fields: "x(v:1) y")
        c2: String @requires(fields: "x(v:2)")
      }`,
  }),
  provenanceGraph('required fields of related entities, and a key that is not resolvable', {
    a: gql`
      type Query { ps: [P!]! }
      type P @key(fields: "id") { id: ID! x(v: Int): String q: P }`,
    b: gql`
      type Query { bps: [P] }
      type P @key(fields: "id", resolvable: false) { id: ID! }`,
    c: gql`
      type P @key(fields: "id") {
        id: ID! x(v: Int): String @external q: P @external
        c1: String @requires(fields: "x(v:1) q { x(v:2) }")
        c2(k: Int): P
      }`,
  }),
  provenanceGraph('fields that require more and less', {
    a: gql`
      type Query { ps: [P!]! }
      type P @key(fields: "id") { id: ID! w: String h: String k: String o: O }
      ${VALUES}`,
    b: gql`
      type P @key(fields: "id") {
        id: ID! w: String @external h: String @external k: String @external o: O @external
        b1: String @requires(fields: "w")
        b2: String @requires(fields: "h")
        b3: String @requires(fields: "k")
        b4: String @requires(fields: "o { y }")
        b5: String @requires(fields: "w o { y z }")
      }
      ${VALUES}`,
  }),
  provenanceGraph('a list in the middle of a chain', {
    a: gql`type Query { ps: [P] } type P @key(fields: "id") { id: ID! x: String y(v: Int): String }`,
    b: gql`
      type Query { bps: [P] }
      type P @key(fields: "id") {
        id: ID! x: String @external y(v: Int): String @external c1: String @external
        b1: String @requires(fields: "x")
        b2(k: Int): P @requires(fields: "y(v:1)")
        b3: String @requires(fields: "c1")
      }`,
    c: gql`
      type P @key(fields: "id") {
        id: ID! b1: String @external b2(k: Int): P @external y(v: Int): String @external
        c1: String @requires(fields: "b1")
        c2: P @requires(fields: "b1 y(v:2)")
        c3: String @requires(fields: "b2(k:1) { b1 }")
      }`,
  }),
]
