import { readFileSync } from 'node:fs'
import { type DefinitionNode, type InputValueDefinitionNode, Kind, parse, visit } from 'graphql'

const page = readFileSync('docs/reference/graphql.md', 'utf8')
const { definitions } = parse(readFileSync('schema/supergraph.graphql', 'utf8'))
const PAGING = ['first', 'last', 'before', 'after']

const argumentsOf = (name: string): readonly InputValueDefinitionNode[] =>
  definitions.flatMap((each: DefinitionNode) =>
    each.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && each.name.value === name
      ? (each.fields ?? [])
      : [],
  )

/** Lists of Query, with their arguments besides paging. */
const lists = definitions
  .flatMap((each) =>
    each.kind === Kind.OBJECT_TYPE_DEFINITION && each.name.value === 'Query'
      ? (each.fields ?? [])
      : [],
  )
  .map((field) => ({
    name: field.name.value,
    pages: field.arguments?.some(({ name }) => name.value === 'first'),
    others: field.arguments?.filter(({ name }) => !PAGING.includes(name.value)) ?? [],
  }))
  .filter(({ pages, others }) => pages && others.length > 0)
  .filter(({ name }) => !['eventFields', 'eventFieldValues'].includes(name))

test.each(lists)('the page of the graph has $name with its filters', ({ name, others }) => {
  const named = [name]
  for (const { type } of others)
    visit(type, {
      NamedType: ({ name: input }) => {
        if (input.value.endsWith('Filter'))
          named.push(...argumentsOf(input.value).map((field) => field.name.value))
      },
    })
  expect(named.filter((each) => !page.includes(`\`${each}\``))).toEqual([])
})
