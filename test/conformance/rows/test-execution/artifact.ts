import { inSection } from '../../row.ts'

export const artifact = inSection('TX', 'Resources: artifact', [
  {
    id: 'TX-16',
    rule: 'Reading an artifact MUST give one JSON object.',
    todo: 'REST bridge',
  },
  {
    id: 'TX-17',
    rule: 'Creating and updating MUST take the artifact as one JSON object and refuse a body of another shape with 400.',
    todo: 'REST bridge',
  },
  {
    id: 'TX-18',
    rule: 'Every artifact MUST carry a name and a description, both strings, and lists MUST be filterable by them.',
    todo: 'REST bridge',
  },
  {
    id: 'TX-19',
    rule: 'Every artifact MUST also carry id, revision, created and updated.',
    todo: 'REST bridge',
  },
  {
    id: 'TX-20',
    rule: 'The resource names MUST be component, testcase, suite and environment: singular and in lower case.',
    todo: 'REST bridge',
  },
  {
    id: 'TX-21',
    rule: 'Ids MUST be opaque strings that a create may bring along; without one the product MUST assign a UUIDv7.',
    todo: 'REST bridge',
  },
  {
    id: 'TX-22',
    rule: 'A brought id MUST have 1 to 255 characters out of A-Z a-z 0-9 . _ ~ : - and MUST NOT be count, result, . or .. (else 400).',
    todo: 'REST bridge',
  },
  {
    id: 'TX-23',
    rule: 'An id that is taken MUST be refused with 409, where test cases and suites share one id space.',
    todo: 'REST bridge',
  },
  {
    id: 'TX-24',
    rule: 'A name that another artifact of the same kind has MUST be refused with 409.',
    todo: 'REST bridge',
  },
])
