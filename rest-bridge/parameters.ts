import { AppError } from '../schema/errors.ts'
import type { RestRequest } from './route.ts'

/** @throws AppError BAD_USER_INPUT for anything but true and false, in whatever case */
export function parseBoolean(name: string, text: string | undefined): boolean {
  if (text === undefined) return false
  const value = text.toLowerCase()
  if (value === 'true' || value === 'false') return value === 'true'
  throw new AppError('BAD_USER_INPUT', `Query parameter ${name}: expected true or false`)
}

/** The first word stands for an absent parameter. @throws AppError BAD_USER_INPUT for none of the words, in whatever case */
export function parseWord<Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly [Word, ...Word[]],
): Word {
  if (text === undefined) return words[0]
  const word = words.find((each) => each === text.toLowerCase())
  if (word) return word
  throw new AppError('BAD_USER_INPUT', `Query parameter ${name}: expected ${words.join(' or ')}`)
}

/** @throws AppError BAD_USER_INPUT where it is missing or empty */
export function requireQuery({ query }: RestRequest, name: string): string {
  const text = query[name]
  if (!text) throw new AppError('BAD_USER_INPUT', `Query parameter ${name}: it is missing`)
  return text
}
