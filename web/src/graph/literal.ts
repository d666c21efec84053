/** Text as filters of the graph take it, in which `*` stands for any text. */
export const literal = (text: string) => text.replaceAll('*', '\\*')
