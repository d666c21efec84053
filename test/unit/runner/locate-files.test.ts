import { keepApart, locateFile } from '../../../formats/coverage/locate-files.ts'

const FILES: Readonly<Record<string, string>> = {
  'packages/a/src/index.js': '1\n2\n',
  'packages/b/src/index.js': '1\n',
  'a/util.py': '1\n2\n',
  'b/util.py': '1\n'.repeat(10),
  'mod/src/main/java/shop/A.java': '1\n',
  'src/Shop.php': '1\n'.repeat(14),
  'index.js': '1\n',
}

const locate = (path: string, reportFolder = '', places: string[] = [], line = 1) =>
  locateFile(
    { path, places, lines: new Map([[line, true]]) },
    { root: '/run', reportFolder },
    async (name) => FILES[name] ?? null,
  )

test.each<[string, string, string[], number, string, string | null]>([
  ['src/index.js', 'packages/a/coverage', [], 1, 'packages/a/src/index.js', null],
  ['../src/index.js', 'packages/b/coverage', [], 1, 'packages/b/src/index.js', null],
  ['./packages/a/src/index.js', 'coverage', [], 1, 'packages/a/src/index.js', null],
  ['/run/src/Shop.php', 'out', [], 1, 'src/Shop.php', null],
  ['/run/src/gone.php', 'out', [], 1, 'src/gone.php', null],
  ['/app/src/Shop.php', 'out', [], 1, 'src/Shop.php', null],
  ['C:/ws/src/Shop.php', 'out', [], 1, 'src/Shop.php', null],
  ['/usr/lib/index.js', '', [], 1, '/usr/lib/index.js', null],
  ['util.py', '', ['/ci/shop/a/util.py', '/ci/shop/b/util.py'], 10, 'b/util.py', null],
  ['util.py', '', ['a/util.py', 'b/util.py'], 2, 'a/util.py', null],
  ['util.py', '', ['a/util.py', 'b/util.py'], 99, 'a/util.py', null],
  [
    'shop/A.java',
    'mod/target/site',
    ['src/main/java/shop/A.java'],
    1,
    'mod/src/main/java/shop/A.java',
    null,
  ],
  ['../../../../etc/passwd', 'out', [], 1, '../../../../etc/passwd', 'out'],
  ['src/gone.js', 'packages/a/coverage', [], 1, 'src/gone.js', 'packages/a/coverage'],
])(
  '%s of a report in "%s" or at %j, with line %d, is %s',
  async (path, folder, places, line, name, reportFolder) => {
    expect(await locate(path, folder, places, line)).toMatchObject({ name, reportFolder })
  },
)

test('a name that reports of two folders use and that was not found stays apart', () => {
  const file = (componentName: string, reportFolder: string | null) => ({
    componentName,
    reportFolder,
  })
  const names = keepApart([
    file('src/a.js', 'one'),
    file('src/a.js', 'two'),
    file('src/b.js', 'one'),
    file('src/a.js', null),
  ]).map(({ componentName }) => componentName)
  expect(names).toEqual(['one/src/a.js', 'two/src/a.js', 'src/b.js', 'src/a.js'])
})
