/** JSON Schema of the id of an artifact. It is no template: what a scenario names is known before it runs. */
export const ID = { type: 'string', pattern: '^[A-Za-z0-9._~:-]{1,255}$' }
