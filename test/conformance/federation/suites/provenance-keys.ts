import { provenanceGraph } from '../../../support/federation/provenance-graph.ts'
import { gql } from '../../../support/federation/suite.ts'

const REF = gql`type Ref @shareable { num: String! }`
const VALUE = gql`type V @shareable { p: P l: String m: String vs: [V] }`

/** Graphs of many subgraphs: entities with several keys, long chains, and types that stand for others. */
export const LINKED = [
  provenanceGraph('several keys, some of several fields', {
    a: gql`
      type Query { ps: [P!]! p(n: Int): P }
      type P @key(fields: "id") @key(fields: "sku") { id: ID! sku: String! x(v: Int): String y: String q: P }`,
    b: gql`
      type Query { bps: [P] }
      type P @key(fields: "sku") {
        sku: String! x(v: Int): String @external y: String @external
        b1: String @requires(fields: "x(v:1)")
        b2(k: Int): String
        b3: P @requires(fields: "y")
      }`,
    c: gql`
      type Query { cps: [P] }
      type P @key(fields: "id") @key(fields: "part area") {
        id: ID! part: String! area: String! b1: String @external x(v: Int): String @external
        c1: String @requires(fields: "b1 x(v:2)")
        c2: String
        c3: [P]
      }`,
    d: gql`
      type Query { dps: [P] }
      type P @key(fields: "part area") {
        part: String! area: String! c1: String @external b2(k: Int): String @external q: P @external
        d1: String @requires(fields: "c1")
        d2: String @requires(fields: "b2(k:2)")
        d3: P
        d4: String @requires(fields: "q { c1 }")
      }`,
  }),
  provenanceGraph('a key within an object', {
    a: gql`
      type Query { ps: [P!]! }
      type P @key(fields: "id") @key(fields: "ref { num }") { id: ID! ref: Ref! x: String o: [P] }
      ${REF}`,
    b: gql`
      type Query { bps: [P] }
      type P @key(fields: "ref { num }") {
        ref: Ref! x: String @external o: [P] @external
        b1: String @requires(fields: "x")
        b2: P @requires(fields: "o { x }")
        b3: String
      }
      ${REF}`,
    c: gql`
      type Query { cps: [P] }
      type P @key(fields: "id") {
        id: ID! b1: String @external b3: String @external b2: P @external
        c1: String @requires(fields: "b1 b3")
        c2: String @requires(fields: "b2 { b1 }")
        c3: P
      }`,
    d: gql`
      type P @key(fields: "id") @key(fields: "ref { num }") {
        id: ID! ref: Ref! c1: String @external x: String @external
        d1: String @requires(fields: "c1 x")
        d2: [P] @requires(fields: "x")
      }
      ${REF}`,
  }),
  provenanceGraph('keys over three hops', {
    a: gql`
      type Query { n: String }
      type P @key(fields: "id") @key(fields: "sku") { id: ID! sku: String! y: String x: String }`,
    b: gql`
      type P @key(fields: "sku") {
        sku: String! y: String @external x: String @external
        b1: String @requires(fields: "x")
        b3: String @requires(fields: "y")
      }`,
    c: gql`type P @key(fields: "id") @key(fields: "part area") { id: ID! part: String! area: String! }`,
    d: gql`type Query { dps: [P] } type P @key(fields: "part area") { part: String! area: String! }`,
    e: gql`type Query { eps: [P] } type P @key(fields: "id") @key(fields: "sku") { id: ID! sku: String! }`,
  }),
  provenanceGraph('fields that one subgraph took over from another, in chains', {
    a: gql`
      type Query { ps: [P!]! }
      type P @key(fields: "id") {
        id: ID! x: String y: String z: String w: String r: P b1: String @external
        a1: String @requires(fields: "b1")
      }`,
    b: gql`
      type Query { bps: [P] }
      type P @key(fields: "id") {
        id: ID! x: String @override(from: "a") y: String @external c1: String @external
        b1: String @requires(fields: "y")
        b2: String
        b3: P @requires(fields: "c1")
      }`,
    c: gql`
      type Query { cps: [P] }
      type P @key(fields: "id") {
        id: ID! y: String @override(from: "a") r: P @override(from: "a")
        x: String @external b2: String @external a1: String @external
        c1: String @requires(fields: "x")
        c2: String @requires(fields: "a1 b2")
        c3: P @requires(fields: "a1")
      }`,
    d: gql`
      type P @key(fields: "id") {
        id: ID! z: String @override(from: "a") c2: String @external w: String @external
        d1: String @requires(fields: "c2 w")
        d2: P
      }`,
  }),
  provenanceGraph('required parts of unions', {
    a: gql`
      type Query { us: [U] }
      union U = P | Q
      type P @key(fields: "id") { id: ID! x: String u: U us: [U] }
      type Q @key(fields: "id") { id: ID! y: String u: U }`,
    b: gql`
      type Query { bus: [W] }
      union U = P | Q
      union W = P | Q | R
      type P @key(fields: "id") {
        id: ID! x: String @external u: U @external
        b1: String @requires(fields: "u { ... on P { x } ... on Q { y } }")
        b2: W @requires(fields: "x")
      }
      type Q @key(fields: "id") { id: ID! y: String @external b1: String @requires(fields: "y") b3: [W] }
      type R @key(fields: "id") { id: ID! w: W b1: String }`,
    c: gql`
      union U = P | Q
      type P @key(fields: "id") {
        id: ID! x: String @external b1: String @external us: [U] @external
        c1: String @requires(fields: "b1")
        c2: String @requires(fields: "us { ... on Q { b1 } ... on P { x } }")
      }
      type Q @key(fields: "id") {
        id: ID! b1: String @external y: String @external
        c1: String @requires(fields: "b1 y")
      }
      type R @key(fields: "id") { id: ID! b1: String @external c1: String @requires(fields: "b1") c3: R }`,
  }),
  provenanceGraph('objects without a key that hold entities', {
    a: gql`
      type Query { ps: [P!]! v: V @shareable }
      type P @key(fields: "id") { id: ID! x: String v: V @shareable }
      ${VALUE}`,
    b: gql`
      type Query { v: V @shareable }
      type P @key(fields: "id") {
        id: ID! v: V @shareable x: String @external
        b1: String @requires(fields: "x")
        b2: String
      }
      ${VALUE}`,
    c: gql`
      type Query { cv: V }
      type P @key(fields: "id") {
        id: ID! v: V @external b1: String @external b2: String @external
        c1: String @requires(fields: "v { l p { b1 } }")
        c2: V @requires(fields: "b1")
        c3: String @requires(fields: "v { m }")
        c4: String @requires(fields: "b2 b1")
      }
      ${VALUE}`,
  }),
  provenanceGraph('an interface object that requires two fields of another', {
    a: gql`
      type Query { ms: [M!]! }
      interface M @key(fields: "id") { id: ID! x: String n: M }
      type A1 implements M @key(fields: "id") { id: ID! x: String n: M }
      type A2 implements M @key(fields: "id") { id: ID! x: String n: M }`,
    b: gql`
      type M @key(fields: "id") @interfaceObject {
        id: ID! x: String @external
        b1: String @requires(fields: "x")
        b2: String
      }`,
    c: gql`
      type M @key(fields: "id") @interfaceObject {
        id: ID! b1: String @external b2: String @external
        c2: String @requires(fields: "b1 b2")
      }`,
  }),
  provenanceGraph('keys that one required field leads to, and another one takes', {
    a: gql`
      type Query { ps: [P] p(n: Int): P }
      type P @key(fields: "id") @key(fields: "sku") {
        id: ID! sku: String! z(v: Int): String @external x: String @external
        a1: P @requires(fields: "z(v:1)")
        a2: [P] @requires(fields: "z(v:2) x")
        a3: P
      }`,
    b: gql`
      type Query { bps: [P] }
      type P @key(fields: "id") @key(fields: "part area") {
        id: ID! part: String! area: String! x: String @external z(v: Int): String @external
        a1: P @external a2: [P] @external a3: P @external
        b1: String @requires(fields: "a1 { z(v:2) }")
        b2: String @requires(fields: "a3 { x } a2 { z(v:1) }")
        b3: P
      }`,
    c: gql`
      type P @key(fields: "sku") @key(fields: "part area") {
        sku: String! part: String! area: String!
        x: String z(v: Int): String b1: String @external b2: String @external
        c1: String @requires(fields: "b1")
        c2: [P] @requires(fields: "b2 b1")
      }`,
  }),
  provenanceGraph('a long chain, to and fro', {
    a: gql`
      type Query { ps: [P!]! p(o: I): P }
      input I { a: Int b: Int }
      type P @key(fields: "id") {
        id: ID! x: String c1: String @external d1: String @external
        a1: String @requires(fields: "c1")
        a2: P @requires(fields: "d1")
      }`,
    b: gql`
      type Query { bps: [P] }
      type P @key(fields: "id") {
        id: ID! x: String @external a1: String @external
        b1: String @requires(fields: "x")
        b2: String @requires(fields: "a1")
        b3: P
      }`,
    c: gql`
      type Query { cps: [P] }
      type P @key(fields: "id") {
        id: ID! b1: String @external b2: String @external
        c1: String @requires(fields: "b1")
        c2: P @requires(fields: "b2")
        c3: String
      }`,
    d: gql`
      type Query { dps: [P] }
      type P @key(fields: "id") {
        id: ID! c1: String @external c3: String @external x: String @external
        d1: String @requires(fields: "c1")
        d2: String @requires(fields: "c3 x")
      }`,
  }),
]
