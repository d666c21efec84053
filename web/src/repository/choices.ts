/** Enough for a list to choose from. */
export const CHOICES = { first: 1_000, count: false, sort: [{ attribute: 'name' }] }
