import type { ContractId, SectionOf } from './sections.ts'

/** Asserts one rule against the running product; throws when it does not hold. */
export type Check = () => Promise<void>

/** A rule as it is written in a section. */
export interface RuleOfSection {
  /** Stable: a row keeps its id for ever, a new row gets a new one. */
  id: `${ContractId}-${number}`
  /** One MUST sentence. */
  rule: string
  check: Check
}

/** One rule of one contract. */
export type Row = RuleOfSection & { contract: ContractId; section: string }

/** Places rules in a section of a contract. */
export const inSection = <C extends ContractId>(
  contract: C,
  section: SectionOf<C>,
  rules: RuleOfSection[],
): Row[] => rules.map((rule) => ({ ...rule, contract, section }))

export interface Product {
  /** Root of the REST interface, without a trailing slash. */
  base: string
  graphql: string
}

let running: Product | undefined

/** Points every check at the product that listens on `url` (scheme, host and port). */
export function checkAgainst(url: string): void {
  running = { base: `${url}/api`, graphql: `${url}/graphql` }
}

/** Runs a check against another product than the one under check. @param url scheme, host and port */
export async function checkAt(url: string, check: Check): Promise<void> {
  const before = running
  checkAgainst(url)
  try {
    await check()
  } finally {
    running = before
  }
}

/** The product under check. Throws before `checkAgainst`. */
export function product(): Product {
  if (!running) throw new Error('No product is running: call checkAgainst(url) first')
  return running
}
