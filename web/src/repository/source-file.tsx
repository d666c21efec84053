import { useRef } from 'react'
import type { ComponentLanguage } from '../graph/generated.ts'
import { Button } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'

export interface Source {
  language: ComponentLanguage
  sourceCode: string
}

/** Maximum source of a component that the server takes, in bytes. */
const MAX_BYTES = 256 * 1024

/** Reads the source of a component from a file of the reader. */
export function SourceFile({ onRead }: { onRead(source: Source & { file: string }): void }) {
  const input = useRef<HTMLInputElement>(null)
  const take = (file: File | undefined) =>
    attempt(async () => {
      if (!file) return undefined
      if (file.size > MAX_BYTES)
        throw new Error(
          `${file.name} has ${file.size} bytes; a component has at most ${MAX_BYTES} (MESSAGE_LIMIT). Test a smaller module of it`,
        )
      const [, name = file.name, ending] = /^(.*?)\.([cm]?[jt]s)$/.exec(file.name) ?? []
      onRead({
        file: name,
        language: ending?.endsWith('ts') ? 'TYPESCRIPT' : 'JAVASCRIPT',
        sourceCode: await file.text(),
      })
      return `${file.name} was read; Save stores it`
    })
  return (
    <div className="row">
      <Button onClick={() => input.current?.click()}>Import a file</Button>
      <span className="under">
        One JavaScript or TypeScript module; it replaces the source below.
      </span>
      <input
        ref={input}
        type="file"
        accept=".js,.mjs,.cjs,.ts,.mts,.cts"
        aria-label="Source file"
        hidden
        onChange={({ target }) => {
          void take(target.files?.[0])
          target.value = ''
        }}
      />
    </div>
  )
}
