const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** True if it can be an event's id: others need not be looked up, and PostgreSQL refuses them. */
export const isUuid = (text: string): boolean => UUID.test(text)
