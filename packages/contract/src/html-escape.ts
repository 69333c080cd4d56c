/** Text that stands in HTML as it is, also inside an attribute in either quotes. */
export const htmlEscape = (text: string): string => text.replaceAll(/[&<>"']/gu, (sign) => ENTITIES.get(sign) ?? sign)

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])
