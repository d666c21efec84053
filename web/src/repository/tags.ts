/** Tags as one writes them in a line. */
export const lineOfTags = (tags: readonly string[]): string => tags.join(', ')

/** The tags of a line. Stored ones may hold commas, so they are kept while the line says them. */
export const tagsOfLine = (line: string, stored: readonly string[]): string[] =>
  line === lineOfTags(stored) ? [...stored] : line.split(',').flatMap((tag) => tag.trim() || [])
