import fc from 'fast-check'

const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength })

/** The text of a number, in any spelling that JSON allows. */
export const numberText = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: digits(30).map((text) => text.replace(/^0+(?=\d)/, '')),
    fraction: fc.option(digits(30), { nil: undefined }),
    exponent: fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), fc.nat(250)), {
      nil: undefined,
    }),
  })
  .map(
    ({ sign, whole, fraction, exponent }) =>
      `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`,
  )
