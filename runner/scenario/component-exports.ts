import { type ParserPlugin, parse } from '@babel/parser'
import type { ComponentSource } from '../coverage/transform-component.ts'

/** Exports of the source of a component. */
export interface ComponentExports {
  names: string[]
  /** True if it also exports all of another module: then any name may be there. */
  more: boolean
}

/** @throws SyntaxError of the parser */
export function exportsOf({
  language,
  sourceCode,
}: Pick<ComponentSource, 'language' | 'sourceCode'>): ComponentExports {
  const plugins: ParserPlugin[] = language === 'TYPESCRIPT' ? ['typescript'] : []
  const { body } = parse(sourceCode, { sourceType: 'module', plugins }).program
  const names: string[] = []
  let more = false
  for (const statement of body) {
    if (statement.type === 'ExportAllDeclaration') more = true
    if (statement.type === 'ExportDefaultDeclaration') names.push('default')
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') continue
    for (const { exported } of statement.specifiers)
      names.push(exported.type === 'Identifier' ? exported.name : exported.value)
    const { declaration } = statement
    if (declaration?.type === 'VariableDeclaration')
      for (const { id } of declaration.declarations)
        if (id.type === 'Identifier') names.push(id.name)
        else more = true // a pattern
    if (
      (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration') &&
      declaration.id
    )
      names.push(declaration.id.name)
  }
  return { names, more }
}
