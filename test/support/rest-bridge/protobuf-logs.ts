/** A field with a length: the number, and what it holds. */
export const lengthDelimited = (number: number, held: string | Buffer): Buffer => {
  const bytes = Buffer.from(held)
  if (bytes.length > 16_383) throw new Error('longer than two bytes say')
  const length =
    bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7]
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
}

/** ExportLogsServiceRequest with a record of severity 17 for each text, written by hand; an empty text is no body. */
export function protobufLogs(service: string, texts: readonly string[]): Buffer {
  const name = Buffer.concat([
    lengthDelimited(1, 'service.name'),
    lengthDelimited(2, lengthDelimited(1, service)),
  ])
  const records = texts.map((text) =>
    lengthDelimited(
      2,
      Buffer.concat([
        Buffer.from([16, 17]),
        text ? lengthDelimited(5, lengthDelimited(1, text)) : Buffer.alloc(0),
      ]),
    ),
  )
  const scope = lengthDelimited(2, Buffer.concat(records))
  return lengthDelimited(1, Buffer.concat([lengthDelimited(1, lengthDelimited(1, name)), scope]))
}
