/** Fault of an artifact, and its attribute; empty where it is about none. */
export interface Fault {
  place: string
  message: string
}

/** Servers put the attribute in front: `maxParallel: it must be <= 100`, `variables.a b: expected …`. */
export function faultOf(message: string): Fault {
  if (message.startsWith('The name ')) return { place: 'name', message }
  const [, place, inner, rest] = /^([a-zA-Z]\w*)(?:[./](.*?))?: (.+)$/s.exec(message) ?? []
  return place && rest
    ? { place, message: inner ? `${inner}: ${rest}` : rest }
    : { place: '', message }
}

/** The faults of some attributes. */
export const faultsAt = (faults: readonly Fault[], place: string): readonly Fault[] =>
  faults.filter((fault) => fault.place === place)
