import { gzipSync } from 'node:zlib'

/**
 * The command as a package that npm installs from its address: `npm install --save-dev https://…/api/assay.tgz`. The same
 * files always give the same bytes, so that the hash in a lock file of the user stays right.
 * @param texts of the files, by name @param own package.json of the product
 */
export function commandPackage(texts, own) {
  const { name, version, license: terms, engines, dependencies } = own
  const manifest = {
    ...{ name, version, license: terms, engines, type: 'module' },
    description: 'The command of Assay: validate, run and store scenarios that are files',
    bin: { assay: COMMAND },
    types: 'assay.d.ts',
    // Bundles components that import other files.
    optionalDependencies: { esbuild: dependencies.esbuild },
  }
  return gzipSync(
    Buffer.concat([
      tarEntry('package/package.json', `${JSON.stringify(manifest, null, 2)}\n`),
      ...Object.entries(texts).map(([name, text]) =>
        tarEntry(`package/${name}`, text, name === COMMAND ? 0o755 : 0o644),
      ),
      Buffer.alloc(2 * BLOCK),
    ]),
    { level: 9 },
  )
}

/** The file that runs. */
const COMMAND = 'assay.js'
const BLOCK = 512

/** A file of a tar archive (POSIX ustar). */
function tarEntry(path, text, mode = 0o644) {
  const content = Buffer.from(text)
  const header = Buffer.alloc(BLOCK)
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(path, 0)
  header.write(octal(mode, 8) + octal(0, 8) + octal(0, 8), 100)
  header.write(octal(content.length, 12) + octal(0, 12), 124)
  header.write('        0', 148) // the checksum counts as blanks; 0 is a plain file
  header.write('ustar\x0000', 257)
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)])
}
