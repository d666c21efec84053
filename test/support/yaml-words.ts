/** Texts that some reader of YAML takes for something else, or does not take at all. */
export const TEXTS = [
  ...'yes no on off y n Y N Yes NO On OFF true True TRUE trUe false ~ null Null NULL None'.split(
    ' ',
  ),
  ...'012 0123 -012 08 09.5 0777 0o17 0o8 0x1F 0x 0x_1 0b11 0b_1 1_000 1__0 1_ _1 +_1 +1 -0'.split(
    ' ',
  ),
  ...'1e3 1.0e3 1e+3 1.5E+3 12e03 -2E+05 1.e5 .1e5 3.10 .5 1. 0. ._ 1e e1 685.230_15e+03'.split(
    ' ',
  ),
  ...'.inf -.Inf +.inf .nan .NaN NaN Infinity undefined 1,000'.split(' '),
  ...'12:30 12:30:45 190:20:30 -1:30 12:30.5 1:2:3:4 1:60 2026-11-27 2026-1-2'.split(' '),
  ...['2026-11-27T10:00:00Z', '2026-11-27 10:00:00', '2026-11-27 10:00:00.5 +01:00'],
  ...'= << - ? : , [ ] { } # & * ! | > % @ ` --- ...'.split(' '),
  ...['', ' a', 'a ', '- a', '? a', 'a: b', 'a:', '#a', 'a #b', '!a', '&a', '*a', '%a', '@a', '`a'],
  ...['"a', "'a", '[a', '{a', 'a]', 'a}', 'a, b', '--- a', '... b', 'yes: no', 'null ', '\\n'],
  ...[
    '\t',
    'a\tb',
    '\n',
    '\n\n',
    'a\n',
    '\na',
    'a\nb',
    'a\n\n\n',
    '  a\n b',
    'a\r\nb',
    'a\rb',
    'a: \n  b',
  ],
  ...[
    '\u0007',
    '\u001b[31m',
    '\u007f',
    '\u0080a',
    '\u0085',
    'a\u0085b',
    '\u00a0',
    '\u2028a',
    'a\u2029b',
  ],
  ...[
    '\ufeffa',
    '\ufffe',
    '\uffff',
    '\u{1f600}',
    `${'long '.repeat(40)}\n\n  a\n`,
    `a ${'b'.repeat(120)} c`,
  ],
]

export const NUMBERS = [
  0, 1, -1, 12, 0.1, -1.5, 1e21, 1e-7, -1.5e300, 1e100, 5e-324, 123456789012345680000,
]
