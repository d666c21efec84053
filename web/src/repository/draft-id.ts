/** Id under which a scenario runs that was never stored. */
export const DRAFT_ID = 'draft'
