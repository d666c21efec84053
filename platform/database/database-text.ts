import { badInput } from '../../formats/errors.ts'

/**
 * Refuses what a database cannot hold: NUL, and halves of surrogate pairs, in texts and in keys.
 * @param at names the value in the message
 * @throws AppError BAD_USER_INPUT
 */
export function checkText(at: string, value: unknown): void {
  if (typeof value === 'string') {
    if (!isDatabaseText(value))
      throw badInput(`${at}: expected text without NUL and without halves of surrogate pairs`)
  } else if (typeof value === 'object' && value !== null)
    for (const [key, held] of Object.entries(value)) {
      if (!isDatabaseText(key)) checkText(at, key)
      checkText(`${at}.${key}`, held)
    }
}

export const isDatabaseText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
