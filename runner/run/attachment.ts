import { extname } from 'node:path'

/** A file that belongs to an execution, as results name it. */
export interface Attachment {
  id: string
  /** Its path below the folder of the run, or as an import gave it. */
  name: string
  contentType: string
  /** Bytes. */
  size: number
  /** SHA-256 in hex. */
  sha256: string
}

/** A file before it is kept. */
export interface AttachmentFile {
  name: string
  contentType: string
  content: Buffer
}

/** Limits of the attachments of an execution. */
export interface AttachmentLimits {
  /** ATTACHMENT_BYTES */
  bytesOfOne: number
  /** ATTACHMENTS_BYTES */
  bytesOfAll: number
}

/** Attachments that an execution keeps already. */
export interface AttachmentUse {
  files: number
  bytes: number
}

export const DEFAULT_ATTACHMENT_LIMITS: AttachmentLimits = {
  bytesOfOne: 5 * 1024 * 1024,
  bytesOfAll: 50 * 1024 * 1024,
}

/** Files of one execution. */
export const MAX_ATTACHMENTS = 200
/** Characters of a name. */
export const MAX_ATTACHMENT_NAME = 500

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.webm': 'video/webm',
  '.mp4': 'video/mp4',
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.json': 'application/json',
  '.har': 'application/json',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
}

/** By the end of its name; bytes of any kind where that says nothing. */
export const contentTypeOf = (name: string): string =>
  TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream'

/** True if secrets in it can be found. */
export const isText = (contentType: string): boolean =>
  /^text\/|^application\/(json|xml|yaml)$|^image\/svg\+xml$/.test(contentType)
