import { useState } from 'react'

import { askFile } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { showToast } from '../ui/Toasts.tsx'
import { failureWords } from './failure-words.ts'

type Props = {
  readonly path: string
  readonly file: string
  readonly label: string
  /** What it is called where several have the same label. */
  readonly name?: string
}

/** Keeps an answer of the server as a file. A plain link would go without the token that says who asks. */
export function DownloadButton({ path, file, label, name = label }: Props) {
  const [busy, setBusy] = useState(false)
  const download = async (): Promise<void> => {
    setBusy(true)
    try {
      save(await askFile(path), file)
    } catch (error) {
      const words = failureWords(error instanceof Error ? error : new Error(String(error)))
      showToast({ title: 'Error', description: words, tone: 'plain' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button disabled={busy} aria-label={name} onClick={() => void download()}>
      {label}
    </Button>
  )
}

function save(content: Blob, file: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = file
  link.click()
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
