import { readFileSync } from 'node:fs'
import { parse } from 'graphql'
import { nodeIdOf, readNodeId } from '../../../platform/nodes/node-id.ts'
import { OWNERS } from '../../../subgraphs/server/owners.ts'

const read = (name: string) =>
  readFileSync(new URL(`../../../schema/${name}.graphql`, import.meta.url), 'utf8')

test('node finds every entity of the subgraphs', () => {
  const entities = ['accounts', 'events', 'test-execution'].flatMap((name) =>
    parse(read(name)).definitions.flatMap((definition) =>
      definition.kind === 'ObjectTypeDefinition' &&
      definition.directives?.some((directive) => directive.name.value === 'key')
        ? [definition.name.value]
        : [],
    ),
  )
  expect(Object.keys(OWNERS).sort()).toEqual([...new Set(entities)].sort())
})

test('a nodeId reads back, and nothing else reads', () => {
  const key = { type: 'TestCase', id: 'a:b ü' }
  expect(readNodeId(nodeIdOf(key))).toEqual(key)
  for (const other of [
    '',
    'TestCase:a',
    `${nodeIdOf(key)}=`,
    nodeIdOf({ type: 'TestCase', id: '' }),
  ])
    expect(readNodeId(other)).toBeNull()
})
