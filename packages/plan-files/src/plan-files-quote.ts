/** One word of a POSIX shell, whatever it contains. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_./:=@%+,-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** Text on one line, for a comment in a script or a cell of a table: nothing in it can begin a new line. */
export const commentText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** Text that Markdown shows as it is: no markup, no HTML, no link, no new line, no cell. */
export const markdownText = (text: string): string =>
  commentText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_{}[\]()#!|~@]/gu, (mark) => `\\${mark}`)
    .replaceAll(/https?:/gu, (scheme) => scheme.replace(':', '&#58;'))
