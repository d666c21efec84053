import { Field, ID, InputType, registerEnumType } from 'type-graphql'

export const SettableStatus = {
  OPEN: 'OPEN',
  ACKNOWLEDGED: 'ACKNOWLEDGED',
  CLOSED: 'CLOSED',
  OK: 'OK',
} as const
registerEnumType(SettableStatus, {
  name: 'SettableStatus',
  description: 'The states that a person can give to an event.',
  valuesConfig: {
    OPEN: { description: 'Someone should look at it; also reopens a closed event.' },
    ACKNOWLEDGED: {
      description: 'Someone looks at it: further OPEN occurrences change nothing unless graver.',
    },
    CLOSED: { description: 'Done with; the next occurrence decides again.' },
    OK: { description: 'All is well.' },
  },
})

@InputType({ description: 'A new status for an event.' })
export class SetEventStatusInput {
  @Field(() => ID, { description: 'The event.' })
  id!: string

  @Field(() => SettableStatus, { description: 'Its new status.' })
  status!: keyof typeof SettableStatus
}
