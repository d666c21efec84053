import { found, ok } from '../answers.ts'
import { generatedId, RESULT_ID } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Results')

/** GraphQL fields of a file. */
export const ATTACHMENT = 'id name contentType size sha256'

interface AttachmentData {
  name: string
  contentType: string
  base64: string
}

interface StepsData {
  steps: { attachments: unknown[] }[]
}

/** Media types that browsers show without running any of them; everything else is saved. */
const SHOWN = /^image\/(png|jpeg|gif|webp)$|^text\/plain$|^video\//

const STEPS = `steps { attachments { ${ATTACHMENT} } }`

export const attachments: readonly Route[] = [
  route<{ executionResult: (StepsData & { tries: StepsData[] }) | null }>({
    method: 'get',
    path: '/result/:resultId/attachments',
    summary: 'Files that the steps of an execution left, those of earlier tries first',
    parameters: [RESULT_ID],
    operation: `query Attachments($id: ID!) { executionResult(id: $id) { ${STEPS} tries { ${STEPS} } } }`,
    variables: ({ params }) => ({ id: params.resultId }),
    respond({ executionResult }, { params }) {
      const result = found(executionResult, 'execution result', params.resultId)
      const all = [...result.tries, result].flatMap(({ steps }) => steps)
      return ok(all.flatMap((step) => step.attachments))
    },
    errors: ['NOT_FOUND', 'OPERATION_LIMIT_EXCEEDED'],
    answers: { 200: { description: 'The files', schema: listOf(ref('Attachment')) } },
  }),
  route<{ attachment: AttachmentData | null }>({
    method: 'get',
    path: '/attachments/:attachmentId',
    summary: 'Download a file of an execution',
    parameters: [generatedId('attachmentId', 'Id of the file')],
    operation: `query Attachment($id: ID!) { attachment(id: $id) { name contentType base64 } }`,
    variables: ({ params }) => ({ id: params.attachmentId }),
    respond({ attachment }, { params }) {
      const { name, contentType, base64 } = found(attachment, 'attachment', params.attachmentId)
      const isText = contentType.startsWith('text/')
      return {
        ...ok(undefined),
        bytes: Buffer.from(base64, 'base64'),
        mediaType: isText ? `${contentType}; charset=utf-8` : contentType,
        headers: headersOf(name, contentType),
      }
    },
    errors: ['NOT_FOUND', 'OPERATION_LIMIT_EXCEEDED'],
    answers: {
      200: {
        description: 'Its bytes, with its own media type',
        others: { '*/*': { type: 'string', format: 'binary' } },
      },
    },
  }),
]

/** Authors of tests write these files. The browser runs no script of them and shows none as a page of this origin. */
function headersOf(name: string, contentType: string): Record<string, string> {
  const file = name.split('/').at(-1) ?? 'file'
  const plain = file.replace(/[^A-Za-z0-9._-]/g, '_')
  const encoded = encodeURIComponent(file.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const kind = SHOWN.test(contentType) ? 'inline' : 'attachment'
  return {
    'Content-Disposition': `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  }
}
