/** The longest time of an imported result, a week; tools that write a point in time exceed it. */
export const MAX_IMPORT_DURATION_MS = 604_800_000
/** Characters of a message of a test that are kept. */
export const MAX_TEST_MESSAGE = 16_384
/** Characters of what a test wrote that are kept, from the end. */
export const MAX_TEST_LOG = 65_536
