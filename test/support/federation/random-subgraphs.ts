import type { SeededRandom } from './seeded-random.ts'

/** A field of an entity, or of the interface `M`. */
interface Field {
  of: string
  name: string
  hasArgument: boolean
  /** Type that it returns; none for text. */
  target: string | undefined
  isList: boolean
  /** Subgraphs that resolve it. */
  homes: readonly string[]
  /** A subgraph that takes it over, with a label or without one. */
  override?: { by: string; label: string } | undefined
  requires?: { fieldSet: string; external: readonly Field[] }
  /** Fields of its target that its home resolves below it alone. */
  provides: readonly Field[]
}

const SERVICES = ['a', 'b', 'c', 'd']
const ENTITIES = ['P', 'Q', 'R']
/** Keys, as `keyOf` in provenance-keys.ts has their values. */
const KEYS: Readonly<Record<string, string>> = {
  id: 'id: ID!',
  sku: 'sku: String!',
  'part area': 'part: String! area: String!',
  'ref { num }': 'ref: Ref!',
}
const VALUES = ['y', 'z', 'y z', 'y(w: 1)', 'y(w: 2) z', '__typename']

/**
 * Documents of two to four subgraphs for `provenanceGraph`: entities with one key or several, an interface that is an
 * object elsewhere (`M`), another interface (`N`), a union (`U`) and a shared value type (`O`); fields that are shared,
 * taken over, provided, and required with arguments, at two levels. Not all of them compose.
 */
export const randomSubgraphs = (random: SeededRandom): Record<string, string> =>
  new Writer(random).documents()

class Writer {
  readonly #services: readonly string[]
  /** Keys by entity and subgraph. */
  readonly #keys = new Map<string, Map<string, string[]>>()
  /** Subgraph that has `M` as an interface. */
  readonly #home: string | undefined
  readonly #optional: ReadonlySet<string>
  readonly #fields: Field[] = []

  constructor(private readonly random: SeededRandom) {
    this.#services = SERVICES.slice(0, 2 + random.below(3))
    this.#home = random.chance(0.4) ? random.pick(this.#services) : undefined
    this.#optional = new Set(['U', 'N', 'O'].filter(() => random.chance(0.5)))
    const hasSeveralKeys = random.chance(0.6)
    for (const entity of ENTITIES.slice(0, 1 + random.below(3)))
      this.#keys.set(entity, this.#drawKeys(hasSeveralKeys))
  }

  documents(): Record<string, string> {
    for (const type of this.#withFields())
      for (const service of this.#placesOf(type))
        for (let count = 1 + this.random.below(2); count > 0; count--)
          this.#fields.push(this.#drawField(type, service))
    for (const type of this.#withFields())
      for (const service of this.#placesOf(type))
        for (let count = this.random.below(3); count > 0; count--)
          this.#drawRequiring(type, service)
    return Object.fromEntries(this.#services.map((service) => [service, this.#document(service)]))
  }

  #drawKeys(hasSeveral: boolean): Map<string, string[]> {
    const [one = '', other = '', ...others] = this.#shuffled(this.#services)
    const services = [one, other, ...others.filter(() => this.random.chance(0.5))]
    return new Map(
      services.map((service) => {
        const drawn = Object.keys(KEYS).filter(() => hasSeveral && this.random.chance(0.4))
        return [service, drawn.length > 0 ? drawn : ['id']]
      }),
    )
  }

  #shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items]
    return items.flatMap(() => left.splice(this.random.below(left.length), 1))
  }

  #withFields(): string[] {
    return [...this.#keys.keys(), ...(this.#home ? ['M'] : [])]
  }

  #placesOf(type: string): string[] {
    return this.#services.filter((service) => this.#isKnown(type, service))
  }

  #isKnown(type: string, service: string): boolean {
    const ofEntities = [...this.#keys.values()].map((places) => places.get(service))
    if (type === 'M') return this.#home !== undefined
    if (type === 'U') return this.#optional.has('U') && ofEntities.every((keys) => keys)
    if (type === 'N') return this.#optional.has('N') && ofEntities.every((k) => k?.includes('id'))
    if (type === 'O') return this.#optional.has('O')
    return this.#keys.get(type)?.has(service) ?? false
  }

  #typesIn(service: string): string[] {
    return [...this.#keys.keys(), 'M', 'U', 'N', 'O'].filter((type) => this.#isKnown(type, service))
  }

  #drawField(of: string, service: string): Field {
    const target = this.random.chance(0.4) ? this.random.pick(this.#typesIn(service)) : undefined
    const others = this.#placesOf(of).filter(
      (place) =>
        of !== 'M' && place !== service && (target === undefined || this.#isKnown(target, place)),
    )
    const isShared = others.length > 0 && this.random.chance(0.15)
    const isTaken = others.length > 0 && !isShared && this.random.chance(0.15)
    const label = this.random.pick(['', '', 'percent(0)', 'percent(50)', 'percent(100)'])
    return {
      ...{ of, target, name: `${service}${this.#fields.length}` },
      hasArgument: this.random.chance(0.35),
      isList: target !== undefined && this.random.chance(0.25),
      homes: isShared ? [service, this.random.pick(others)] : [service],
      override: isTaken ? { by: this.random.pick(others), label } : undefined,
      provides: isShared || isTaken ? [] : this.#provided(target, service),
    }
  }

  #provided(target: string | undefined, service: string): Field[] {
    if (target === undefined || this.random.chance(0.5)) return []
    const candidates = this.#fields.filter(
      ({ of, hasArgument, requires, ...one }) =>
        of === target && !hasArgument && !one.target && !requires && !one.homes.includes(service),
    )
    return this.#shuffled(candidates).slice(0, 1 + this.random.below(2))
  }

  #drawRequiring(of: string, service: string): void {
    // Composition fails where types of an interface require, with arguments, what its interface objects have.
    if (of === 'M' && service === this.#home) return
    const candidates = this.#fields.filter((one) => one.of === of && isExternal(one, service))
    const external = new Set<Field>()
    const fieldSet = this.#shuffled(candidates)
      .slice(0, 1 + this.random.below(2))
      .flatMap((field) => this.#selected(field, service, external, 2) ?? [])
    if (fieldSet.length === 0) return
    const drawn = this.#drawField(of, service)
    const requires = { fieldSet: fieldSet.join(' '), external: [...external] }
    this.#fields.push({ ...drawn, homes: [service], override: undefined, requires })
  }

  /** Part of a field set. @param external is added to */
  #selected(
    field: Field,
    service: string,
    external: Set<Field>,
    depth: number,
  ): string | undefined {
    const { name, hasArgument, target } = field
    const below = target === undefined ? '' : this.#selectedBelow(target, service, external, depth)
    if (below === undefined) return undefined
    if (isExternal(field, service)) external.add(field)
    const argument = hasArgument && this.random.chance(0.7) ? `(v: ${this.random.below(3)})` : ''
    return `${name}${argument}${below && ` { ${below} }`}`
  }

  #selectedBelow(
    type: string,
    service: string,
    external: Set<Field>,
    depth: number,
  ): string | undefined {
    if (depth === 0 || !this.#isKnown(type, service)) return undefined
    if (type === 'O') return this.random.pick(VALUES)
    const oneOf = (of: string): string | undefined => {
      const fields = this.#fields.filter((one) => one.of === of && (depth > 1 || !one.target))
      return fields.length > 0
        ? this.#selected(this.random.pick(fields), service, external, depth - 1)
        : undefined
    }
    if (type !== 'U' && type !== 'N') return oneOf(type)
    const parts = [...this.#keys.keys()].flatMap((entity) => {
      const part = this.random.chance(0.7) ? oneOf(entity) : undefined
      return part ? [`... on ${entity} { ${part} }`] : []
    })
    return [...parts, '__typename'].join(' ')
  }

  #document(service: string): string {
    const roots = this.#typesIn(service).filter(() => this.random.chance(0.7))
    const rootFields = roots.map((type) => {
      const argument = this.random.chance(0.3) ? '(n: Int)' : ''
      return `${service}${type}${argument}: ${this.random.chance(0.6) ? `[${type}]` : type}`
    })
    const entities = [...this.#keys].flatMap(([entity, places]) => {
      const keys = places.get(service)
      return keys ? [this.#entity(entity, keys, service)] : []
    })
    return [
      `type Query { ${[...rootFields, `${service}Name: String`].join(' ')} }`,
      ...entities,
      ...(this.#isKnown('M', service) ? this.#interface(service) : []),
      ...(this.#isKnown('U', service) ? [`union U = ${[...this.#keys.keys()].join(' | ')}`] : []),
      ...(this.#isKnown('N', service) ? ['interface N { id: ID! }'] : []),
      ...(this.#optional.has('O') ? ['type O @shareable { y(w: Int): String z: String }'] : []),
      'type Ref @shareable { num: String! }',
    ].join('\n')
  }

  #entity(name: string, keys: readonly string[], service: string): string {
    const directives = keys.map((key) => `@key(fields: "${key}")`).join(' ')
    const fields = [...keys.map((key) => KEYS[key]), ...this.#fieldsIn(name, service)]
    const isN = this.#isKnown('N', service) ? ' implements N' : ''
    return `type ${name}${isN} ${directives} { ${fields.join('\n')} }`
  }

  #interface(service: string): string[] {
    const fields = ['id: ID!', ...this.#fieldsIn('M', service)].join('\n')
    if (service !== this.#home) return [`type M @key(fields: "id") @interfaceObject { ${fields} }`]
    const types = ['A1', 'A2'].map(
      (type) => `type ${type} implements M @key(fields: "id") { ${fields} t${type}: String }`,
    )
    return [`interface M @key(fields: "id") { ${fields} }`, ...types]
  }

  #fieldsIn(type: string, service: string): string[] {
    const own = this.#fields.filter((one) => one.of === type)
    const named = this.#fields
      .filter(({ homes }) => homes.includes(service))
      .flatMap(({ requires, provides }) => [...(requires?.external ?? []), ...provides])
    const isProvided = (field: Field) => this.#fields.some((one) => one.provides.includes(field))
    return own.flatMap((field) => {
      const {
        name,
        hasArgument,
        target = 'String',
        isList,
        homes,
        override,
        requires,
        provides,
      } = field
      const text = `${name}${hasArgument ? '(v: Int)' : ''}: ${isList ? `[${target}]` : target}`
      if (override?.by === service) {
        const label = override.label && `, label: "${override.label}"`
        return [`${text} @override(from: "${homes[0]}"${label})`]
      }
      if (!homes.includes(service)) return named.includes(field) ? [`${text} @external`] : []
      const shared = homes.length > 1 || isProvided(field) ? ' @shareable' : ''
      const provided = provides.map((one) => one.name).join(' ')
      const providing = provided && ` @provides(fields: "${provided}")`
      const requiring = requires ? ` @requires(fields: "${requires.fieldSet}")` : ''
      return [text + shared + providing + requiring]
    })
  }
}

const isExternal = ({ homes, override }: Field, service: string): boolean =>
  !homes.includes(service) && override?.by !== service
