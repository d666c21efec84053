/** The two contracts of the product and their sections, in reading order. Every section has at least one row. */
export const CONTRACTS = {
  TX: {
    title: 'Test execution and artifact repository',
    sections: [
      'What the service does',
      'Resources: artifact',
      'Resources: execution result',
      'Resources: detailed execution result',
      'States and transitions',
      'Endpoints: CRUD and list',
      'Endpoints: execute',
      'Endpoints: read results',
      'Authentication',
      'Events',
      'Errors',
      'Limits',
      'Versioning',
    ],
  },
  EV: {
    title: 'Event ingestion',
    sections: [
      'What the service does',
      'Resources: RawEvent',
      'Resources: ingestion response',
      'States and transitions',
      'Endpoints',
      'Authentication',
      'Events',
      'Errors',
      'Limits',
      'Versioning',
    ],
  },
} as const satisfies Record<string, { title: string; sections: readonly string[] }>

export type ContractId = keyof typeof CONTRACTS

/** A section title of one contract. */
export type SectionOf<C extends ContractId> = (typeof CONTRACTS)[C]['sections'][number]

/** Every (contract, section) pair, in reading order. */
export const SECTIONS: readonly { contract: ContractId; section: string }[] = [
  ...CONTRACTS.TX.sections.map((section) => ({ contract: 'TX' as const, section })),
  ...CONTRACTS.EV.sections.map((section) => ({ contract: 'EV' as const, section })),
]
