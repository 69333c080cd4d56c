/** What was typed into the field of that name; empty when there is none. */
export function formText(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** The digits of a code, however it was written. */
export const codeText = (data: FormData, name: string): string => formText(data, name).replaceAll(/[\s-]/gu, '')
