import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql'
import { AppError } from '../../formats/errors.ts'
import { audited } from '../audit/audit.ts'
import type { Caller, Context } from './caller.ts'
import { ANYONE, FIELD_RULES, type Rule, TYPE_RULES } from './rules.ts'

const FILE = 'platform/access/rules.ts'
const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription'])

/** Events are their own record, and too many to be written down twice. */
const UNAUDITED: ReadonlySet<string> = new Set(['ingestEvents'])

export interface RuledField {
  type: string
  field: GraphQLField<unknown, Context>
  rule: Rule
}

/**
 * Puts the rules in front of the resolvers of a schema, and has mutations written down. Once: a field that the rule of its type covers keeps its
 * resolver, and costs nothing.
 * @throws Error that says which rule is missing
 */
export function guard(schema: GraphQLSchema): GraphQLSchema {
  for (const { type, field, rule } of ruledFields(schema)) {
    const resolve = field.resolve ?? defaultFieldResolver
    if (type === 'Subscription') field.subscribe = guarded(rule, field.subscribe ?? resolve)
    else if (type === 'Mutation' && !UNAUDITED.has(field.name))
      field.resolve = guarded(rule, recorded(resolve))
    else field.resolve = guarded(rule, resolve)
  }
  return schema
}

/** Every field that a rule stands in front of. @throws Error that says which rule is missing */
export function ruledFields(schema: GraphQLSchema): RuledField[] {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  const ours = types.filter(({ name }) => !name.startsWith('_'))
  return ours.flatMap((type) => {
    if (!ROOTS.has(type.name)) ruleOfType(type.name)
    return Object.values(type.getFields()).flatMap((field) => {
      const rule = ruleOfField(type.name, field)
      return rule ? [{ type: type.name, field, rule }] : []
    })
  })
}

/** @returns null where the rule of the type says enough */
function ruleOfField(type: string, field: GraphQLField<unknown, Context>): Rule | null {
  const name = `${type}.${field.name}`
  const rule = FIELD_RULES[name]
  if (rule) return rule
  if (ROOTS.has(type))
    throw new Error(
      `${name} has no rule: say in FIELD_RULES of ${FILE} what it takes to use it, such as '${name}': 'executions:read'`,
    )
  const target = getNamedType(field.type)
  if (!isCompositeType(target)) return null
  const needed = ruleOfType(target.name)
  return needed === ANYONE || needed === ruleOfType(type) ? null : needed
}

/** Rule that guards objects of a type. @throws Error that says that the rule is missing */
export function ruleOfType(name: string): Rule {
  const rule = TYPE_RULES[name.replace(/(Connection|Edge)$/, '')]
  if (!rule)
    throw new Error(
      `The type ${name} has no rule: say in TYPE_RULES of ${FILE} what it takes to see it, such as ${name}: 'executions:read'`,
    )
  return rule
}

const recorded =
  (resolve: GraphQLFieldResolver<unknown, Context>): GraphQLFieldResolver<unknown, Context> =>
  (source, args, context, info) =>
    audited(info.fieldName, context.caller, args, () => resolve(source, args, context, info))

const guarded =
  (
    rule: Rule,
    resolve: GraphQLFieldResolver<unknown, Context>,
  ): GraphQLFieldResolver<unknown, Context> =>
  (source, args, context, info) => {
    requirePermission(context.caller, rule)
    return resolve(source, args, context, info)
  }

/**
 * The one place that checks the permission of a caller.
 * @throws AppError UNAUTHENTICATED where signing in may help, FORBIDDEN where it does not; for a sign-in that was
 *   refused, what it was refused with, also where no permission is needed
 */
export function requirePermission(caller: Caller, rule: Rule): void {
  const { refusal, permissions, user, withoutRole } = caller
  if (refusal) {
    const { code, message, ...options } = refusal
    throw new AppError(code, message, options)
  }
  if (rule === ANYONE || permissions.includes(rule)) return
  if (user === null) throw new AppError('UNAUTHENTICATED', `Sign in: this needs ${rule}`)
  const why = withoutRole ? `. ${withoutRole}` : ''
  throw new AppError('FORBIDDEN', `${user} may not do this: it needs ${rule}${why}`)
}
