import { read } from '../graph/client.ts'
import { AttachmentDocument, type StepFragment } from '../graph/generated.ts'
import { Button } from '../ui/parts.tsx'
import { saveFile } from '../ui/save-file.ts'
import { attempt } from '../ui/toasts.tsx'

/** Files that a step left. */
export function Attachments({ files }: { files: StepFragment['attachments'] }) {
  if (files.length === 0) return null
  return (
    <section className="stack" aria-label="Attachments">
      {files.map(({ id, name, size }) => (
        <div key={id} className="row">
          <Button icon="download" onClick={() => save(id)}>
            {name}
          </Button>
          <span className="under">{Math.ceil(size / 1024)} KiB</span>
        </div>
      ))}
    </section>
  )
}

const save = (id: string) =>
  attempt(async () => {
    const { attachment } = await read(AttachmentDocument, { id })
    if (!attachment) throw new Error('The file was deleted with the details of its execution')
    const bytes = Uint8Array.from(atob(attachment.base64), (sign) => sign.charCodeAt(0))
    // The type is none that a browser would show: the content is the user's.
    saveFile(attachment.name.split('/').at(-1) ?? id, 'application/octet-stream', bytes)
  })
