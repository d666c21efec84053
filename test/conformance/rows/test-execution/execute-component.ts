import { inSection } from '../../row.ts'

const todo = 'test execution'

export const executeComponent = inSection('TX', 'Endpoints: execute', [
  {
    id: 'TX-114',
    rule: 'POST /noauth/testcases/execute MUST run every scenario that tests componentName in environmentId.',
    todo,
  },
  {
    id: 'TX-115',
    rule: 'componentName and environmentId MUST be required: 400 naming the missing one.',
    todo,
  },
  {
    id: 'TX-116',
    rule: 'synchron, callbackUrl, loadlibrary (ignored) and the credentials header MUST be optional there, and an empty JSON body allowed.',
    todo,
  },
  {
    id: 'TX-117',
    rule: 'It MUST answer 404 when no scenario matches.',
    todo,
  },
  {
    id: 'TX-118',
    rule: 'It MUST generate one suite per component and environment and use it again: same contextId, new result id.',
    todo,
  },
  {
    id: 'TX-119',
    rule: 'The contextId of a component tested in one environment MUST be component_<component id>.',
    todo,
  },
])
