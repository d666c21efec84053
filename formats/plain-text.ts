import { stripVTControlCharacters } from 'node:util'

/** Texts that pytest, Node, Ruby, Perl, JUnit and XML libraries write in place of the sign that begins a colour. */
const ESCAPES = /(?:#x1B|&(?:amp;?)?#(?:27|x1B);|\\x1b|\\e|\\u001b|\uFFFD|<1b>)\[\d[\d;]*m/gi
/** Colours whose first sign was dropped; a single one in brackets may be something else. */
const BARE = /\[(?:[1-9]|[34]\d|9[0-7]|[34]8;[\d;]+)m(?!\])(.*?)\[(?:0|2[1-9]|39|49)?m/gs
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are replaced
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g

/** Text without colours and moves of a terminal; other characters that no line can show are U+FFFD. */
export const plainText = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(ESCAPES, '')
    .replace(BARE, '$1')
    .toWellFormed()
    .replace(CONTROLS, '\uFFFD')
