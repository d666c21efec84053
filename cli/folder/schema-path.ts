/** Where the JSON Schema of artifact files is published, below the REST root. */
export const SCHEMA_PATH = '/scenario.schema.json'
