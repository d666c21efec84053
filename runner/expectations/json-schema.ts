import { createRequire } from 'node:module'
import { Ajv, type FuncKeywordDefinition, type Options } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { FormatsPlugin } from 'ajv-formats'
import { isObject, withDoubles } from '../../formats/json/values.ts'

type Compiled =
  | { fault: null; check(value: unknown): string | null; warnings: string[] }
  | { fault: string; check?: undefined; warnings?: undefined }

/**
 * A JSON Schema that an author gives: draft 2020-12, or draft-07 where `$schema` says so. Keywords it does not know are
 * ignored, as the standard has it; it can name no other document.
 */
export function compileJsonSchema(schema: unknown): Compiled {
  // An instance for each: it would keep every schema, and one could refer to another.
  const warnings = new Set<string>()
  const options = optionsWith(warnings)
  const isOld = isObject(schema) && String(schema.$schema).includes('draft-07')
  const ajv = isOld ? draft07(options) : draft2020(options)
  try {
    if (isObject(schema) && '$async' in schema) return { fault: 'it cannot be asynchronous' }
    const validate = ajv.compile(withDoubles(schema) as object | boolean) // anything else is thrown out
    const check = (value: unknown) =>
      validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: '$' })
    return { fault: null, check, warnings: [...warnings] }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'it is no JSON Schema' }
  }
}

/** Describes the fault of a value; null where it matches. */
export function schemaFault(schema: unknown, value: unknown): string | null {
  const { fault, check } = compileJsonSchema(schema)
  return check ? check(value) : fault
}

/** @param warnings get what is ignored and should not be there, such as a format that is not known */
const optionsWith = (warnings: Set<string>): Options => ({
  strict: false,
  logger: { log() {}, warn: (text: string) => warnings.add(text), error() {} },
})
const require = createRequire(import.meta.url)

// Loaded by the first schema: few scenarios have one, and a start is not to wait for them.
const draft2020 = (options: Options) => {
  const draft: { Ajv2020: typeof Ajv2020 } = require('ajv/dist/2020.js')
  return withFormats(new draft.Ajv2020(options))
}
const draft07 = (options: Options) => withFormats(new Ajv(options))

/** By decimal digits: the library divides doubles, of which 0.29 is no multiple of 0.01. */
const MULTIPLE_OF: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: { message: ({ schema }) => `must be multiple of ${schema}` },
  validate: (step: number, value: number) => isMultiple(value, step),
}

function isMultiple(value: number, step: number): boolean {
  const [one, other] = [decimalOf(value), decimalOf(step)]
  const scale = Math.max(one.scale, other.scale)
  const units = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own)
  return units(one) % units(other) === 0n
}

interface Decimal {
  digits: bigint
  /** Digits behind the point. */
  scale: number
}

function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

function withFormats<Any extends Ajv>(ajv: Any): Any {
  const formats: { default: FormatsPlugin } = require('ajv-formats')
  formats.default(ajv)
  ajv.removeKeyword('multipleOf').addKeyword(MULTIPLE_OF)
  return ajv
}
