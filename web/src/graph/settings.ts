const { apiRoot = '', authMode = 'none', version = '' } = document.documentElement.dataset

/** Settings that the gateway writes into the page. */
export const SETTINGS = { apiRoot, authMode, version }
