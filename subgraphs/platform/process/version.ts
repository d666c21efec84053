import assay from '../../../package.json' with { type: 'json' }

/** The version of the product, as package.json names it. */
export const VERSION: string = assay.version
