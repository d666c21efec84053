import type { Suite } from '../../../support/federation/suite.ts'
import { abstractTypes, interfaceObjects, unreachable } from './abstract.ts'
import { conditions } from './conditions.ts'
import { keys, nonResolvableKeys } from './keys.ts'
import { merging } from './merging.ts'
import { mutations } from './mutations.ts'
import { narrowerFields } from './narrower-fields.ts'
import { nulls } from './nulls.ts'
import { requires, requiresWithArguments } from './requires.ts'
import { rootTypes } from './root-types.ts'
import { schemaMerging } from './schema-merging.ts'
import { sharing } from './sharing.ts'
import { typeConditions } from './type-conditions.ts'

export const SUITES: readonly Suite[] = [
  keys,
  nonResolvableKeys,
  requires,
  requiresWithArguments,
  sharing,
  abstractTypes,
  interfaceObjects,
  unreachable,
  schemaMerging,
  conditions,
  mutations,
  merging,
  nulls,
  rootTypes,
  narrowerFields,
  typeConditions,
]
