import { decodeText } from '../../../formats/decode-text.ts'

const bytes = (text: string, encoding: BufferEncoding, mark = '') =>
  Buffer.from(`${mark}${text}`, encoding)
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a b="ü"/>`

test.each<[string, Buffer, string]>([
  ['UTF-8', bytes('{"a":"ü"}', 'utf8'), '{"a":"ü"}'],
  ['UTF-8 with a mark', bytes('ü', 'utf8', '\uFEFF'), 'ü'],
  [
    'UTF-16 with a mark, as PowerShell writes it',
    bytes('{"a":"ü"}', 'utf16le', '\uFEFF'),
    '{"a":"ü"}',
  ],
  ['UTF-16 of the other order', bytes('ü', 'utf16le', '\uFEFF').swap16(), 'ü'],
  ['UTF-16 without a mark', bytes(declared('utf-16'), 'utf16le'), declared('utf-16')],
  ['the declared encoding', bytes(declared('ISO-8859-1'), 'latin1'), declared('ISO-8859-1')],
  [
    'UTF-8 that is declared UTF-16, as .NET writes it',
    bytes(declared('utf-16'), 'utf8'),
    declared('utf-16'),
  ],
  [
    'UTF-8 that is declared ISO-8859-1, as kyua 0.13 writes it',
    bytes(declared('iso-8859-1'), 'utf8'),
    declared('iso-8859-1'),
  ],
  ['UTF-8 under a name that is no encoding', bytes(declared('x-none'), 'utf8'), declared('x-none')],
])('a file in %s is read', (_, content, text) => {
  expect(decodeText(content)).toBe(text)
})

test('a charset of the content type counts more than an XML declaration, and less than a mark', () => {
  expect(decodeText(bytes(declared('utf-8'), 'latin1'), 'ISO-8859-1')).toBe(declared('utf-8'))
  expect(decodeText(bytes('ü', 'utf16le', '\uFEFF'), 'utf-8')).toBe('ü')
})
