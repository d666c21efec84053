import { type ConstDirectiveNode, Kind } from 'graphql'

/** The text of a directive's argument, as the join specification uses them; undefined where it is not given. */
export function argumentOf(
  { arguments: args }: ConstDirectiveNode,
  name: string,
): string | undefined {
  const value = args?.find((argument) => argument.name.value === name)?.value
  if (value?.kind === Kind.BOOLEAN) return String(value.value)
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : undefined
}
