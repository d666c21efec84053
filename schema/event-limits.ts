/** UTF-8 bytes of an event as compact JSON. */
export const MAX_EVENT_BYTES = 32_768

/** Lists and objects within each other. Deeper JSON overflows the stack of PostgreSQL's parser, and of many clients'. */
export const MAX_EVENT_DEPTH = 256
