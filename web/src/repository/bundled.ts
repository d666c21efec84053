/** The file that `assay apply` has bundled into this source with others; null for a source of one module. */
export const bundledFrom = (sourceCode: string): string | null =>
  /^\/\/ Bundled by assay apply from (.+): change its files/.exec(sourceCode)?.[1] ?? null
