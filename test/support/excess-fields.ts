import ts from 'typescript'

/** A value, and the type that it should have. */
export interface Typed {
  value: unknown
  type: string
  /** The module that exports the type. */
  module: string
}

const FILE = new URL('../values.ts', import.meta.url).pathname

/** Faults that TypeScript finds in the values: a field that a type does not have is a fault, which validators of JSON Schema let pass. */
export function faultsOfTypes(values: readonly Typed[]): string[] {
  const text = values
    .map(
      ({ value, type, module }, at) =>
        `export const value${at}: import('${module}').${type} = ${JSON.stringify(value)}`,
    )
    .join('\n')
  const options: ts.CompilerOptions = {
    ...{ strict: true, skipLibCheck: true, noEmit: true, types: [] },
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === FILE || fileExists(name)
  host.getSourceFile = (name, ...rest) =>
    name === FILE
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([FILE], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
