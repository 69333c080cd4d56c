/** Lines of cells as CSV (RFC 4180), each line with its end. */
export const csvOf = (lines: readonly (readonly string[])[]): string =>
  lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('')

/**
 * One cell. Text that a spreadsheet would run as a formula (OWASP: CSV injection) gets an apostrophe before it: names in
 * a cluster are anybody's words. A plain negative number is left as it is.
 */
function csvCell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
