/** UTF-8 bytes of an event as compact JSON, without the fields that are ignored. */
export const MAX_EVENT_BYTES = 32_768

/** Lists and objects within each other. Deeper JSON overflows the stack of PostgreSQL's parser, and of many clients'. */
export const MAX_EVENT_DEPTH = 256

/** Maximum of `Event.timesSeen`: GraphQL's Int has 32 bits. */
export const MAX_TIMES_SEEN = 2 ** 31 - 1
