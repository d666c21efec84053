import type { MikroORM } from '@mikro-orm/postgresql'
import { runSql } from '../../../platform/database/sql.ts'
import type { LowerCase } from './predicate/subject.ts'

/** Reads how the database lowers letters, which depends on its collation; `ilike` goes by it. */
export class LowerCaseRepository {
  #known: LowerCase | undefined

  constructor(private readonly orm: MikroORM) {}

  async read(): Promise<LowerCase> {
    this.#known ??= lowerCaseBy(await this.#letters())
    return this.#known
  }

  async #letters(): Promise<ReadonlyMap<string, string>> {
    const rows = await runSql<{ upper: string; lower: string }>(this.orm.em, LETTERS)
    return new Map(rows.map(({ upper, lower }) => [upper, lower]))
  }
}

const lowerCaseBy =
  (letters: ReadonlyMap<string, string>): LowerCase =>
  (text) =>
    /^[\0-\x7f]*$/.test(text)
      ? text.toLowerCase()
      : text.replaceAll(/./gsu, (letter) => letters.get(letter) ?? letter)

/** Letters end before U+1F000; surrogates are none. */
const LETTERS = `
  select chr(code) as upper, lower(chr(code)) as lower
  from generate_series(1, 126975) as code
  where code not between 55296 and 57343 and lower(chr(code)) <> chr(code)`
