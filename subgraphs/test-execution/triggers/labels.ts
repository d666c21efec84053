import { badInput } from '../../../formats/errors.ts'
import type { Evaluation } from '../../../runner/evaluation/evaluation.ts'
import { RunError } from '../../../runner/run/error.ts'
import { sanitizeText } from '../../../runner/run/mask.ts'

type Texts = Readonly<Record<string, string>>

/** Characters of a value. */
const MOST = 255

const isPath = (value: string): boolean => /^\$($|[.[])/.test(value)

const pathsOf = (labels: Texts): Texts =>
  Object.fromEntries(Object.entries(labels).filter(([, value]) => isPath(value)))

/** @throws AppError BAD_USER_INPUT that names the label with a malformed path */
export const checkPaths = async (labels: Texts, evaluation: Evaluation): Promise<void> => {
  await pick(pathsOf(labels), null, evaluation)
}

/**
 * Labels with what their paths select of a payload. Those that select no text, number or boolean are left out.
 * @throws AppError BAD_USER_INPUT for a path that takes too long
 */
export async function filledLabels(
  labels: Texts,
  payload: unknown,
  evaluation: Evaluation,
): Promise<Texts> {
  const picked = await pick(pathsOf(labels), payload, evaluation)
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => {
      const text = isPath(value) ? textOf(picked[name]) : value
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

function textOf(value: unknown): string | undefined {
  const [first] = [value].flat()
  const isScalar = first !== null && first !== undefined && !isMany(first)
  return isScalar ? sanitizeText(String(first)).slice(0, MOST).toWellFormed() : undefined
}

/** Numbers that keep their digits are objects, too. */
const isMany = (value: unknown): boolean => /^[[{]/.test(JSON.stringify(value) ?? '{')

async function pick(
  paths: Texts,
  value: unknown,
  evaluation: Evaluation,
): Promise<Record<string, unknown>> {
  if (Object.keys(paths).length === 0) return {}
  try {
    return await evaluation.run('pick', { paths, value })
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    throw badInput(`labels: ${error.message}`, { cause: error })
  }
}
