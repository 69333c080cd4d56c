/** How an answer can be printed. */
export const OUTPUTS = ['table', 'json', 'yaml', 'csv'] as const
export type Output = (typeof OUTPUTS)[number]
