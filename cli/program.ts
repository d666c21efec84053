import { basename, relative } from 'node:path'

/** Words that started this command, for hints that are copied into a terminal. */
export const PROGRAM = programOf(process.argv[1] ?? '')

export function programOf(file: string, folder = process.cwd()): string {
  if (/^assay\.m?js$/.test(basename(file))) return `node ${relative(folder, file)}`
  return basename(file) === 'assay' && file.includes('node_modules') ? 'npx assay' : 'assay'
}

/** Hint at the help of a command. */
export const seeHelp = (command = ''): string => `See ${PROGRAM} help ${command}`.trimEnd()
