/** The longest time of an imported result, a week. */
export const MAX_IMPORT_DURATION_MS = 604_800_000
