/** Keeps an answer as a file of that name that people can read too. */
export const saveJson = (answer: object, file: string): void =>
  saveFile(new Blob([JSON.stringify(answer, undefined, 2)], { type: 'application/json' }), file)

/** Keeps what is given as a file of that name. */
export function saveFile(content: Blob, file: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = file
  link.click()
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
