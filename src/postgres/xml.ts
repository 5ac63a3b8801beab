/** xml content: the text as given, without a declaration that says nothing and without one line feed in front. */
import { utf8 } from './big-endian.js';
import { builtinType, ValueError } from './pg-type.js';

const declaration =
  /^<\?xml\s+version\s*=\s*(["'])([\w.:-]+)\1(?:\s+encoding\s*=\s*(["'])[\w.-]+\3)?(?:\s+standalone\s*=\s*(["'])(yes|no)\4)?\s*\?>/;

function inputXml(text: string): string {
  const match = declaration.exec(text);
  const content = match === null ? text : text.slice(match[0].length);
  if (!isWellFormed(content)) throw new ValueError('2200N', 'invalid XML content');
  const [version = '1.0', standalone] = [match?.[2], match?.[5]];
  if (version === '1.0' && standalone === undefined) return content.replace(/^\n/, '');
  const attribute = standalone === undefined ? '' : ` standalone="${standalone}"`;
  return `<?xml version="${version}"${attribute}?>${content}`;
}

const name = '[\\p{L}_:][\\p{L}\\p{N}_:.\\-\\xb7]*';
const attributes = `(?:\\s+${name}\\s*=\\s*(?:"[^<"]*"|'[^<']*'))*\\s*`;
const token = new RegExp(
  [
    '<!--(?:(?!--)[\\s\\S])*-->',
    '<!\\[CDATA\\[[\\s\\S]*?\\]\\]>',
    `<\\?(?!xml[\\s?])${name}(?:\\s[\\s\\S]*?)?\\?>`,
    `<(?<close>/${name})\\s*>`,
    `<(?<open>${name})${attributes}(?<empty>/?)>`,
    '[^<&]+',
    `&(?:amp|lt|gt|quot|apos|#\\d+|#x[0-9a-fA-F]+);`,
  ].join('|'),
  'uy',
);

/** Whether tags nest and close. Declarations of document types are not read: values that have one are taken as given. */
function isWellFormed(content: string): boolean {
  if (/^\s*<!DOCTYPE/.test(content)) return true;
  const open: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < content.length) {
    const match = token.exec(content);
    if (match === null) return false;
    const groups = match.groups!;
    if (groups['open'] !== undefined && groups['empty'] === '') open.push(groups['open']);
    if (groups['close'] !== undefined && open.pop() !== groups['close'].slice(1)) return false;
  }
  return open.length === 0;
}

export const xmlTypes = [builtinType(142, 'xml', -1, 143, { input: inputXml, send: utf8 })];
