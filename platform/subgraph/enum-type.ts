import { registerEnumType } from 'type-graphql'

/** An enum of GraphQL whose values are their own names. @param values each with its description */
export function enumType<Name extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Name, string>>,
): { readonly [Value in Name]: Value } {
  const described = Object.entries<string>(values)
  const type = Object.fromEntries(described.map(([value]) => [value, value]))
  registerEnumType(type, {
    name,
    description,
    valuesConfig: Object.fromEntries(
      described.map(([value, text]) => [value, { description: text }]),
    ),
  })
  return type as { readonly [Value in Name]: Value } // its keys are those of `values`
}
