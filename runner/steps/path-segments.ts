import { RunError } from '../run/error.ts'

const PLACE = /\{([A-Za-z_][\w-]*)\}/g
/** Characters that a segment may hold as they are (RFC 3986, 3.3), but for `;`, which some servers split at. */
const PLAIN = /%(?:24|26|2B|2C|3D|3A|40)/g

/**
 * A URL with a value in the place of each `{name}`, encoded so that it stays one segment of the path.
 * @throws RunError INVALID_STEP for a name without its place, a place without its value, and a value that no segment can be
 */
export function withSegments(
  url: string,
  segments: Readonly<Record<string, string | number | boolean>>,
): string {
  const unused = new Set(Object.keys(segments))
  const filled = url.replace(PLACE, (place, name: string) => {
    if (!Object.hasOwn(segments, name))
      throw new RunError('INVALID_STEP', `The url has ${place}, and segments has no ${name}`)
    unused.delete(name)
    return segmentOf(name, String(segments[name]))
  })
  const [name] = unused
  if (name === undefined) return filled
  throw new RunError('INVALID_STEP', `segments has ${name}, and the url has no {${name}}`)
}

function segmentOf(name: string, value: string): string {
  // Servers and clients take dots out of a path, encoded ones, too: the request would reach another place.
  if (value === '' || value === '.' || value === '..')
    throw new RunError(
      'INVALID_STEP',
      `segments.${name} is ${JSON.stringify(value)}, which is no segment of a path`,
    )
  return encodeURIComponent(value.toWellFormed()).replace(PLAIN, decodeURIComponent)
}
