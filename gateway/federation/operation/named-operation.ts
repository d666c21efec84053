import type { OperationRules } from './operation-rules.ts'

/** An operation as clients name it. */
export interface NamedOperation {
  text: string
  operationName?: string | null | undefined
  /** Absent for operations of the product itself. */
  rules?: OperationRules | undefined
  /** Labels of `@override` that are on for it. */
  overrides?: readonly string[]
  /** Names what is left out, as its caller may not have it. */
  denied?: string
}
