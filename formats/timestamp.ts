/** The contract writes the offset as `+0000` where GraphQL's ISO 8601 writes `Z`. */
export const timestamp = (iso: string): string => iso.replace(/Z$/, '+0000')
