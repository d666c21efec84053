/** Path of the JSON Schema of artifact files, below the REST root. */
export const SCHEMA_PATH = '/scenario.schema.json'
