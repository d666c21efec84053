import { badInput } from '../../../formats/errors.ts'
import { checkText } from '../../../platform/database/database-text.ts'

/** Marks of an execution, such as the number of a build: name → value. */
export type Labels = Readonly<Record<string, string>>

export interface Label {
  name: string
  value: string
}

/** Labels of one execution. */
const MAX_LABELS = 20
/** Characters of a value. */
const MAX_LABEL_VALUE = 255

const NAME = /^[A-Za-z0-9._/-]{1,63}$/

/** @throws AppError BAD_USER_INPUT that names the label */
export function readLabels(labels: readonly Label[]): Labels {
  const read = new Map<string, string>()
  for (const { name, value } of labels) {
    const shown = JSON.stringify(name.slice(0, 100))
    if (!NAME.test(name))
      throw badInput(`The name of a label is 1 to 63 of A-Za-z0-9._/-, which ${shown} is not`)
    if (value.length > MAX_LABEL_VALUE)
      throw badInput(
        `The label ${shown} has a value of more than ${MAX_LABEL_VALUE} characters (MAX_LABEL_VALUE): shorten it`,
      )
    checkText(`The label ${shown}`, value)
    if (read.has(name)) throw badInput(`The label ${shown} is given twice`)
    read.set(name, value)
  }
  if (read.size > MAX_LABELS)
    throw badInput(
      `An execution has at most ${MAX_LABELS} labels (MAX_LABELS), not ${read.size}: leave some out`,
    )
  return Object.fromEntries([...read].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export const labelList = (labels: Labels): Label[] =>
  Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value }))
