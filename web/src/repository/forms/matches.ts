import {
  EnvironmentNamesDocument,
  ExecutableNamesDocument,
  ScenarioNamesDocument,
} from '../../graph/generated.ts'
import { useRead } from '../../graph/use-read.ts'
import { byName } from '../list-page.tsx'
import type { Named } from './named-list.tsx'

const filterOf = (name: string) => ({ filter: byName({ name }).filter ?? {} })

/** Scenarios as a list names them. */
export const SCENARIOS = {
  noun: 'a scenario',
  useMatches: (text: string): readonly Named[] =>
    useRead(ScenarioNamesDocument, filterOf(text)).data?.testCases.nodes ?? [],
}

/** Suites and scenarios as a list names them. */
export const EXECUTABLES = {
  noun: 'a scenario or suite',
  useMatches: (text: string): readonly Named[] => {
    const { data } = useRead(ExecutableNamesDocument, filterOf(text))
    return data ? [...data.suites.nodes, ...data.testCases.nodes] : []
  },
}

/** Environments as a list names them. */
export const ENVIRONMENTS = {
  noun: 'an environment',
  useMatches: (text: string): readonly Named[] =>
    useRead(EnvironmentNamesDocument, filterOf(text)).data?.environments.nodes ?? [],
}
