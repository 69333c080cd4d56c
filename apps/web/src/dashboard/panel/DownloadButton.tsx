import { useState } from 'react'

import { askFile } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { saveFile } from './save-file.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { failureWords } from '../client/failure-words.ts'

type Props = {
  readonly path: string
  /** Its name; as the server names it when left out. */
  readonly file?: string
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
      const { content, name: given } = await askFile(path)
      saveFile(content, file ?? given ?? 'septet')
    } catch (error) {
      const words = failureWords(error)
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
