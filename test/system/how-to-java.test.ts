import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWebhookSigner } from '../../platform/deliveries/webhook-signer.ts'
import { pathOf } from '../support/system/programs.ts'

const SECRET = `whsec_${randomBytes(24).toString('base64')}`
const page = readFileSync('docs/how-to/receive-notifications.md', 'utf8')
const method = page.match(/```java\n([\s\S]*?)```/)?.[1] ?? ''

/** Verifies each line of its input: secret, id, time, signatures and body in Base64, with tabs between them. */
const PROGRAM = `public class Verify {
${method}
  public static void main(String[] args) throws Exception {
    for (String line : new String(System.in.readAllBytes()).split("\\n")) {
      String[] part = line.split("\\t");
      byte[] body = java.util.Base64.getDecoder().decode(part[4]);
      System.out.println(verify(part[0], part[1], part[2], part[3], body));
    }
  }
}
`

test('the Java of the how-to takes what we sign, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-java-'))
  try {
    const file = join(folder, 'Verify.java')
    writeFileSync(file, PROGRAM)
    const sign = createWebhookSigner(SECRET)
    const { headers, body } = await sign('id-1', ['{"title":"Straße"}'], new Date())
    const late = await sign('id-1', ['{}'], new Date(Date.now() - 400_000))
    const line = (
      secret: string,
      given: Record<string, string>,
      bytes: Buffer,
      id = given['webhook-id'],
    ) =>
      [
        ...[secret, id, given['webhook-timestamp'], given['webhook-signature']],
        bytes.toString('base64'),
      ].join('\t')
    const other = `whsec_${randomBytes(24).toString('base64')}`
    const twoKeys = `v1,${randomBytes(32).toString('base64')} ${headers['webhook-signature']}`
    const lines = [
      line(SECRET, headers, body),
      line(SECRET, { ...headers, 'webhook-signature': twoKeys }, body),
      line(SECRET, headers, Buffer.from('{"title":"Strasse"}')),
      line(SECRET, headers, body, 'id-2'),
      line(other, headers, body),
      line(SECRET, late.headers, late.body),
    ]
    const printed = execFileSync(pathOf('java'), [file], { input: lines.join('\n') })
    expect(printed.toString().trim().split('\n')).toEqual([
      ...['true', 'true'],
      ...['false', 'false', 'false', 'false'],
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
