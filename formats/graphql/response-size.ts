/** Used where nothing else is configured. OPERATION_MAX_RESPONSE */
export const MAX_RESPONSE = 32 * 2 ** 20

/** Refusal of a response that would be larger than it may be. */
export const responseTooLarge = (maxResponse: number) =>
  [
    'OPERATION_LIMIT_EXCEEDED',
    `The response has more than ${maxResponse} characters; OPERATION_MAX_RESPONSE allows no more. Ask for fewer or smaller fields, or for a page at a time, or have the operator raise the limit.`,
  ] as const
