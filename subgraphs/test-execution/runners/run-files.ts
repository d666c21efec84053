import {
  type Attachment,
  type AttachmentFile,
  type AttachmentLimits,
  isText,
  MAX_ATTACHMENTS,
} from '../attachments/attachment.ts'
import type { Mask } from './mask.ts'

/** Where files of a run go. */
export interface FileStore {
  limits: AttachmentLimits
  /** @returns null when the run may write no more */
  keep(file: AttachmentFile): Promise<Attachment | null>
}

/** The files of a run, within the limits of one execution. */
export interface RunFiles {
  bytesOfOne: number
  /** @returns the file as it is kept, or why it is not */
  keep(file: AttachmentFile): Promise<Attachment | string>
}

/** @param store null keeps nothing */
export function createRunFiles(store: FileStore | null, mask: Mask): RunFiles {
  const { bytesOfOne = 0, bytesOfAll = 0 } = store?.limits ?? {}
  let count = 0
  let bytes = 0
  return {
    bytesOfOne,
    async keep({ name, contentType, content }) {
      if (!store) return 'has no place: this run keeps no files'
      if (count >= MAX_ATTACHMENTS) return `is one of more than ${MAX_ATTACHMENTS} of the execution`
      if (bytes + content.length > bytesOfAll)
        return `and those before it are larger than ${bytesOfAll} bytes (ATTACHMENTS_BYTES)`
      count += 1
      bytes += content.length
      const clean = isText(contentType) ? Buffer.from(mask.text(content.toString())) : content
      const kept = await store.keep({ name: mask.text(name), contentType, content: clean })
      return kept ?? 'came after the end of the execution'
    },
  }
}
