/** Keeps a text as a file of that name. */
export function saveText(text: string, file: string): void {
  const address = URL.createObjectURL(new Blob([text]))
  const link = document.createElement('a')
  link.href = address
  link.download = file
  link.click()
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
