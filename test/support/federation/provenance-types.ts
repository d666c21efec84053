import { type FieldDefinitionNode, parse, visit } from 'graphql'

/** Types in the documents of some subgraphs. */
export interface Types {
  objects: ReadonlyMap<string, readonly string[]>
  abstract: ReadonlySet<string>
  /** Types that have keys. */
  entities: ReadonlySet<string>
  /** `Type.field` → the field set that it requires. */
  required: ReadonlyMap<string, string>
  /** `Type.field` → names of the fields that it provides. */
  provided: ReadonlyMap<string, readonly string[]>
  /** The objects that a type may stand for. */
  possible(type: string): readonly string[]
  /** The interface with a key that a type implements, or the type itself. */
  familyOf(type: string): string
}

export function typesOf(sdls: readonly string[]): Types {
  const objects = new Map<string, string[]>()
  const entities = new Set<string>()
  const required = new Map<string, string>()
  const provided = new Map<string, readonly string[]>()
  const members = new Map<string, Set<string>>()
  const addMember = (of: string, type: string) =>
    members.set(of, (members.get(of) ?? new Set()).add(type))
  for (const sdl of sdls)
    visit(parse(sdl), {
      ObjectTypeDefinition({ name, fields = [], interfaces = [] }) {
        objects.set(
          name.value,
          fields.map((field) => field.name.value),
        )
        for (const { name: of } of interfaces) addMember(of.value, name.value)
        for (const field of fields)
          for (const { name: directive, arguments: args = [] } of field.directives ?? []) {
            if (args[0]?.value.kind !== 'StringValue') continue
            const key = `${name.value}.${field.name.value}`
            const { value: fieldSet } = args[0].value
            if (directive.value === 'requires') required.set(key, fieldSet)
            if (directive.value === 'provides') provided.set(key, fieldSet.split(' '))
          }
      },
      InterfaceTypeDefinition({ name }) {
        members.set(name.value, members.get(name.value) ?? new Set())
      },
      UnionTypeDefinition({ name, types = [] }) {
        for (const type of types) addMember(name.value, type.name.value)
      },
      Directive({ name }, _key, _parent, _path, ancestors) {
        const type = ancestors.at(-1)
        if (name.value === 'key' && type && 'name' in type && type.name)
          entities.add(type.name.value)
      },
    })
  const possible = (type: string) => [...(members.get(type) ?? [type])].sort()
  return {
    objects,
    abstract: new Set(members.keys()),
    entities,
    required,
    provided,
    possible,
    familyOf: (type) =>
      [...members.keys()].find((of) => entities.has(of) && members.get(of)?.has(type)) ?? type,
  }
}

/** `Type.field` of what a subgraph names and another one resolves. */
export function unresolvedBy(sdls: Readonly<Record<string, string>>, service: string): Set<string> {
  const found = new Set<string>()
  for (const [of, sdl] of Object.entries(sdls))
    visit(parse(sdl), {
      ObjectTypeDefinition: ({ name: { value: type }, fields = [] }) => {
        for (const field of fields)
          if ((of === service && isExternal(field)) || overriddenIn(field) === service)
            found.add(`${type}.${field.name.value}`)
      },
    })
  return found
}

const isExternal = ({ directives = [] }: FieldDefinitionNode): boolean =>
  directives.some(({ name }) => name.value === 'external')

/** A field with a label is resolved in both subgraphs. */
function overriddenIn({ directives = [] }: FieldDefinitionNode): string | undefined {
  const [from, label] = directives.find(({ name }) => name.value === 'override')?.arguments ?? []
  return from?.value.kind === 'StringValue' && !label ? from.value.value : undefined
}
