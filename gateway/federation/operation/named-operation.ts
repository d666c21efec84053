/** An operation as clients name it. */
export interface NamedOperation {
  text: string
  operationName?: string | null | undefined
}
