import { buildSubgraphSchema } from '@apollo/subgraph'
import {
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
  parse,
  printSchema,
} from 'graphql'
import { eventsSdl } from '../../../subgraphs/events/index.ts'

test('everything in the schema is described for those who use it', async () => {
  const schema = buildSubgraphSchema(parse(await eventsSdl()))
  const silent: string[] = []
  const check = (name: string, { description }: { description?: string | null | undefined }) => {
    if (!description?.trim()) silent.push(name)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (
      isIntrospectionType(type) ||
      type.name.includes('__') ||
      type.name.startsWith('_') ||
      type === schema.getQueryType()
    )
      continue
    if (isEnumType(type) || isUnionType(type) || isInputObjectType(type)) check(type.name, type)
    if (isEnumType(type))
      for (const value of type.getValues()) check(`${type.name}.${value.name}`, value)
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields()))
        check(`${type.name}.${field.name}`, field)
    if (isObjectType(type))
      for (const field of Object.values(type.getFields())) {
        check(`${type.name}.${field.name}`, field)
        for (const arg of field.args) check(`${type.name}.${field.name}(${arg.name})`, arg)
      }
  }
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    if (field.name.startsWith('_')) continue
    check(`Query.${field.name}`, field)
    for (const arg of field.args) check(`Query.${field.name}(${arg.name})`, arg)
  }
  expect(printSchema(schema)).toContain('type Event')
  expect(silent).toEqual([])
})
