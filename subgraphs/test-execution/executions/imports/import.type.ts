import { Field, ID, InputType, Int } from 'type-graphql'
import { RESULT_TITLES } from '../../../../formats/results/result-formats.ts'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { LabelInput } from '../accept/execute.resolver.ts'

export const ImportedState = enumType('ImportedState', 'How something ended that ran elsewhere.', {
  COMPLETED: 'It succeeded.',
  FAILED: 'What it tests did not do what was expected.',
  ERROR: 'It could not be carried out.',
  SKIPPED: 'It was not run.',
})

@InputType({ description: 'A file of a scenario that ran elsewhere.' })
export class ImportedFileInput {
  @Field(() => String, { description: 'Its name, up to 500 characters.' })
  name!: string

  @Field(() => String, {
    nullable: true,
    description: 'Its media type; by the end of its name if absent.',
  })
  contentType?: string | null

  @Field(() => String, { description: 'Its bytes as Base64.' })
  base64!: string
}

@InputType({ description: 'A step of a scenario that ran elsewhere.' })
export class ImportedStepInput {
  @Field(() => String, { description: 'Its name.' })
  name!: string

  @Field(() => ImportedState, { description: 'How it ended.' })
  state!: keyof typeof ImportedState

  @Field(() => String, { nullable: true, description: 'Why it did not succeed.' })
  message?: string | null

  @Field(() => Int, { nullable: true, description: 'Milliseconds it took.' })
  durationMs?: number | null

  @Field(() => [ImportedFileInput], { defaultValue: [], description: 'Files that it left.' })
  attachments!: ImportedFileInput[]
}

@InputType({ description: 'A try of a scenario before its last one.' })
export class ImportedTryInput {
  @Field(() => ImportedState, { description: 'How it ended: FAILED or ERROR.' })
  state!: keyof typeof ImportedState

  @Field(() => String, { nullable: true, description: 'Why.' })
  message?: string | null

  @Field(() => Date, {
    nullable: true,
    description: 'When it began; as the scenario if absent.',
  })
  started?: Date | null

  @Field(() => Int, { nullable: true, description: 'Milliseconds it took; 0 if absent.' })
  durationMs?: number | null

  @Field(() => [ImportedStepInput], { defaultValue: [], description: 'Its steps, in order.' })
  steps!: ImportedStepInput[]
}

@InputType({ description: 'A scenario that ran elsewhere.' })
export class ImportedScenarioInput {
  @Field(() => String, { description: 'Its name; results of the same name are its history.' })
  name!: string

  @Field(() => ImportedState, { description: 'How it ended.' })
  state!: keyof typeof ImportedState

  @Field(() => String, { nullable: true, description: 'Why it did not succeed.' })
  message?: string | null

  @Field(() => Date, {
    nullable: true,
    description:
      'When it began. If absent, as the first scenario that has a time; now where none has one.',
  })
  started?: Date | null

  @Field(() => Int, { nullable: true, description: 'Milliseconds it took; 0 if absent.' })
  durationMs?: number | null

  @Field(() => [ImportedStepInput], { defaultValue: [], description: 'Its steps, in order.' })
  steps!: ImportedStepInput[]

  @Field(() => String, { nullable: true, description: 'What it wrote.' })
  log?: string | null

  @Field(() => [ImportedTryInput], {
    defaultValue: [],
    description: 'Tries before the last one, in order; COMPLETED behind them is flaky.',
  })
  tries!: ImportedTryInput[]
}

@InputType({ description: 'A report of coverage, as its tool wrote it.' })
export class ImportedCoverageInput {
  @Field(() => String, { description: 'lcov, cobertura, istanbul, clover or jacoco.' })
  format!: string

  @Field(() => String, {
    description: 'Its path: relative names in it are looked for from its folder upwards.',
  })
  path!: string

  @Field(() => String, { description: 'All of it.' })
  text!: string
}

@InputType({ description: 'A report of tests, as its tool wrote it.' })
export class ImportedReportInput {
  @Field(() => String, { description: 'Its path, for messages.' })
  path!: string

  @Field(() => String, { description: `All of it: ${RESULT_TITLES}; found by what it holds.` })
  text!: string
}

@InputType({ description: 'A file that reports of coverage may name.' })
export class ImportedSourceInput {
  @Field(() => String, { description: 'Its path below `folder`.' })
  path!: string

  @Field(() => String, {
    description: 'Its text, which is shown with its coverage; empty where it is not to be kept.',
  })
  text!: string
}

@InputType({ description: 'Results of scenarios that ran elsewhere, as one execution.' })
export class ImportExecutionInput {
  @Field(() => String, { description: 'What the execution is called, and the id of its history.' })
  name!: string

  @Field(() => [ImportedScenarioInput], {
    description:
      'Its scenarios, up to IMPORT_SCENARIOS (2000); none only beside reports or coverage.',
  })
  scenarios!: ImportedScenarioInput[]

  @Field(() => [ImportedReportInput], {
    defaultValue: [],
    description:
      'Reports of tests: each test is a scenario behind the others. Files that they hold are attached, those that they only name are left out.',
  })
  reports!: ImportedReportInput[]

  @Field(() => [ImportedCoverageInput], {
    defaultValue: [],
    description: 'Reports of coverage, read as those of a `command` step are.',
  })
  coverage!: ImportedCoverageInput[]

  @Field(() => String, {
    nullable: true,
    description: 'Absolute path of the folder of the run, below which files are named.',
  })
  folder?: string | null

  @Field(() => [ImportedSourceInput], {
    defaultValue: [],
    description: 'Files of that folder which the reports may name.',
  })
  sources!: ImportedSourceInput[]

  @Field(() => ID, {
    nullable: true,
    description: 'Where they ran: an id of an environment, or another name.',
  })
  environmentId?: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'What the tool ended with: other than 0, the execution is an ERROR where no scenario is FAILED or ERROR.',
  })
  exitCode?: number | null

  @Field(() => [String], {
    defaultValue: [],
    description: 'What is odd about the results: lines of the log, up to 100.',
  })
  warnings!: string[]

  @Field(() => [LabelInput], { nullable: true, description: 'As of `execute`.' })
  labels?: LabelInput[] | null

  @Field(() => ID, { nullable: true, description: 'As of `execute`.' })
  idempotencyKey?: string | null
}
