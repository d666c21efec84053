import { createHash } from 'node:crypto'

/** The shapes in which a secret may travel or be stored: as it is, encoded, in HTTP Basic, hashed. */
export function shapesOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const hashed = createHash('sha256').update(secret)
  const shapes = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    bytes.toString('hex'),
    hashed.copy().digest('hex'),
    hashed.digest('base64url'),
    // Wherever it stands in what was encoded: the characters at both ends depend on its neighbours.
    ...[0, 1, 2].flatMap((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
      const core = text.replace(/=+$/, '').slice(before === 0 ? 0 : 4, -2)
      return [core, core.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(core)]
    }),
  ]
  return [...new Set(shapes)].filter((shape) => shape.length >= 8)
}
