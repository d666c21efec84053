import { AppError } from '../schema/errors.ts'
import type { Address } from './route.ts'

/** Labels of an execution, each a parameter `label=<name>=<value>`. @throws AppError BAD_USER_INPUT */
export const parseLabels = ({
  repeated,
}: Pick<Address, 'repeated'>): { name: string; value: string }[] =>
  (repeated.label ?? []).map((text) => {
    const at = text.indexOf('=')
    if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1) }
    throw new AppError('BAD_USER_INPUT', 'Query parameter label: expected <name>=<value>')
  })
