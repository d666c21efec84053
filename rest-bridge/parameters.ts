import { AppError } from '../schema/errors.ts'

/** @throws AppError BAD_USER_INPUT for anything but true and false, in whatever case */
export function parseBoolean(name: string, text: string | undefined): boolean {
  if (text === undefined) return false
  const value = text.toLowerCase()
  if (value === 'true' || value === 'false') return value === 'true'
  throw new AppError('BAD_USER_INPUT', `Query parameter ${name}: expected true or false`)
}
