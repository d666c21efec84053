/** The longest time of an imported result, a week. */
export const MAX_IMPORT_DURATION_MS = 604_800_000

/** Imported results start before this: so far from the last time there is that no end passes that. */
export const LATEST_IMPORT_START = new Date('9000-01-01T00:00:00.000Z')
