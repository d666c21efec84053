/** The modules of a component. The second part of harness.js. */
const COMPONENT_URL = 'component:under-test'
/** Built-in modules without reach outside, and from which no stream, emitter or process can be had. */
const BUILT_INS = new Set(
  'assert assert/strict buffer path path/posix querystring string_decoder timers timers/promises url util'.split(
    ' ',
  ),
)
/** Built-in modules that the component may import, as modules by their name. */
const imported = create(null)
const { SyntheticModule } = builtIn('vm')
const includes = uncurried(String.prototype.includes)

/**
 * Not by Node's loader, whose hooks run through lists that a component can get into: that one is out of reach, as neither
 * the component's code nor this was loaded by it. Modules are made before the component's code runs.
 */
export async function linked(source, context) {
  const module = new SourceTextModule(source, {
    context,
    identifier: COMPONENT_URL,
    initializeImportMeta: (meta) => {
      meta.url = COMPONENT_URL
    },
    importModuleDynamically: (specifier) =>
      // An error thrown here would be one of another realm than the component's.
      context ? crash(refusalText(specifier)) : moduleOf(specifier).namespace,
  })
  if (!context && includes(source, 'import(')) {
    for (const name of BUILT_INS) await makeModule(name).evaluate()
  }
  await module.link((specifier) => {
    const name = nameOf(specifier)
    if (context) throw refusal(`A component imports ${name} in plain text or not at all`)
    return imported[name] ?? makeModule(name)
  })
  return module
}

function nameOf(specifier) {
  const name = slice(specifier, 0, 5) === 'node:' ? slice(specifier, 5) : specifier
  if (has(BUILT_INS, name)) return name
  throw refusal(`A component cannot import ${slice(specifier, 0, 200)}`)
}

function moduleOf(specifier) {
  const name = nameOf(specifier)
  if (imported[name]) return imported[name]
  throw refusal(`A component imports ${name} with a literal import() or not at all`)
}

function makeModule(name) {
  const exports = builtIn(name)
  const names = keys(exports)
  const module = new SyntheticModule(
    ['default', ...names.filter((each) => each !== 'default')],
    () => {
      for (const each of names) module.setExport(each, exports[each])
      module.setExport('default', exports)
    },
  )
  imported[name] = module
  return module
}

function refusal(message) {
  const error = new Error(message)
  error.code = 'ERR_FORBIDDEN'
  return error
}

export function refusalText(specifier) {
  const message = `A component imports ${slice(specifier, 0, 200)} with a literal import() or not at all`
  return stringify({ name: 'Error', message, stack: '', code: 'ERR_FORBIDDEN' })
}
