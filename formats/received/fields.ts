import { hash, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import { ExactNumber } from '../json/exact-number.ts'

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof ExactNumber)

/** The members of an object; none of anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** The items of a list; none of anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text that says something. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Without members that are not there. */
export const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null))

/** @throws AppError BAD_USER_INPUT */
export function requireFields(value: unknown, what: string): Fields {
  if (isFields(value)) return value
  throw new AppError('BAD_USER_INPUT', `${what} is not a JSON object`)
}

/** Characters of a title; a longer one stands whole in the message. */
const TITLE = 500

export const titled = (text: string): { title: string; message?: string } => {
  const [line = ''] = text.trim().split('\n', 1)
  const title = line.length > TITLE ? `${line.slice(0, TITLE - 1)}…` : line
  return title === text ? { title } : { title, message: text }
}

/** A text in which numbers do not count, so that occurrences of one cause are one event. */
export const withoutNumbers = (text: string): string =>
  text.slice(0, 1_000).replaceAll(/\d+(?:[.,:]\d+)*/g, '#')

/** In a time that says nothing about the texts. */
export const isEqual = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
