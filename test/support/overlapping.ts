const TYPES = ['A', 'B', 'C', 'D', 'E']
const FIELDS = [0, 1, 2, 3, 4, 5]

/** SDL by name of subgraphs in which every field is in several: the planner has many ways to each of them. */
export const overlapping = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, sdlOf(at, count)]))

const sdlOf = (at: number, count: number): string =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@shareable"])
type Query { root: A @shareable }
${TYPES.map((_, type) => typeOf(type, at, count)).join('\n')}`

function typeOf(type: number, at: number, count: number): string {
  const after = (distance: number) => TYPES[(type + distance) % TYPES.length]
  const fields = FIELDS.filter((field) => (field * 3 + type + at * 2) % count < 3)
  return `type ${TYPES[type]} @key(fields: "id") {
  id: ID!
  ${fields.map((field) => `f${field}: String @shareable`).join(' ')}
  ${(type + at) % count < 5 ? `next: ${after(1)} @shareable` : ''}
  other: ${after(2)} @shareable
  list: [${after(0)}!] @shareable
}`
}
