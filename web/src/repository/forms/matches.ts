import { EnvironmentNamesDocument, ScenarioNamesDocument } from '../../graph/generated.ts'
import { useRead } from '../../graph/use-read.ts'
import { byName } from '../list-page.tsx'
import type { Named } from './named-list.tsx'

const filterOf = (name: string) => ({ filter: byName({ name }).filter ?? {} })

/** Scenarios with a text in their names. */
export const useScenarios = (text: string): readonly Named[] =>
  useRead(ScenarioNamesDocument, filterOf(text)).data?.testCases.nodes ?? []

/** Environments with a text in their names. */
export const useEnvironments = (text: string): readonly Named[] =>
  useRead(EnvironmentNamesDocument, filterOf(text)).data?.environments.nodes ?? []
