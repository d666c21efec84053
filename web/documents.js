// The documents of the web client as its pages send them.
import { readFileSync } from 'node:fs'
import { formatDocument, stringifyDocument } from '@urql/core'
import { transformSync } from 'esbuild'

/** @returns their texts, which the gateway trusts where it runs trusted documents alone */
export async function documentsOf(generated) {
  const { code } = transformSync(readFileSync(generated, 'utf8'), { loader: 'ts', format: 'esm' })
  const documents = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return Object.values(documents)
    .filter(({ kind }) => kind === 'Document')
    .filter(({ definitions }) => definitions.some(({ operation }) => operation))
    .map((document) =>
      // The store adds __typename to what it keeps; streams pass it by.
      stringifyDocument(
        document.definitions.some(({ operation }) => operation === 'subscription')
          ? document
          : formatDocument(document),
      ),
    )
}
