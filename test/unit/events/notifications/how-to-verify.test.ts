import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createWebhookSigner } from '../../../../platform/deliveries/webhook-signer.ts'

const SECRET = `whsec_${randomBytes(24).toString('base64')}`
const page = readFileSync('docs/how-to/receive-notifications.md', 'utf8')
const codeOf = (language: string): string =>
  page.match(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``))?.[1] ?? ''

type Verify = (secret: string, headers: Record<string, string>, body: Buffer) => boolean

const verifiers: [language: string, verify: () => Promise<Verify>][] = [
  [
    'js',
    async () =>
      (await import(`data:text/javascript,${encodeURIComponent(codeOf('js'))}`)).verify as Verify,
  ],
  [
    'python',
    async () => (secret, headers, body) => {
      const call = `import sys, json\ngiven = json.load(sys.stdin)\nprint(verify(given["secret"], given["headers"], given["body"].encode()))`
      const input = JSON.stringify({ secret, headers, body: body.toString() })
      const printed = execFileSync('python3', ['-c', `${codeOf('python')}\n${call}`], { input })
      return printed.toString().trim() === 'True'
    },
  ],
]

test.each(verifiers)(
  'the %s of the how-to takes what we sign, and nothing else',
  async (_, make) => {
    const verify = await make()
    const sign = createWebhookSigner(SECRET)
    const text = '{"type":"notification","data":{"title":"Straße"}}'
    const { headers, body } = await sign('id-1', [text], new Date())
    expect(verify(SECRET, headers, body)).toBe(true)
    expect(verify(SECRET, headers, Buffer.from(text.replace('ß', 'ss')))).toBe(false)
    expect(verify(SECRET, { ...headers, 'webhook-id': 'id-2' }, body)).toBe(false)
    expect(verify(`whsec_${randomBytes(24).toString('base64')}`, headers, body)).toBe(false)
    const late = await sign('id-1', [text], new Date(Date.now() - 400_000))
    expect(verify(SECRET, late.headers, late.body)).toBe(false)
    const twoKeys = `v1,${randomBytes(32).toString('base64')} ${headers['webhook-signature']}`
    expect(verify(SECRET, { ...headers, 'webhook-signature': twoKeys }, body)).toBe(true)
  },
)
