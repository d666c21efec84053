/**
 * Name of a file of an execution where it is saved or named in a report: the last part of its path, without signs
 * that would end a line or a reference to it.
 */
export function attachmentFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names of files may have them
  const plain = last.toWellFormed().replace(/[\u0000-\u001f\u007f\u2028\u2029[\]|]/g, '_')
  return /^\.*$/.test(plain) ? 'file' : plain
}
