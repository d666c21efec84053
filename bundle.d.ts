import type { Plugin } from 'esbuild'

/** @param entryPoints source files by the name of the program @param plugins come before ours */
export function bundle(
  entryPoints: Readonly<Record<string, string>>,
  outdir: string,
  plugins?: readonly Plugin[],
): Promise<unknown>
