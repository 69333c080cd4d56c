import { useEffect, useState } from 'react'

import { Button } from './Button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

type Props = { readonly text: () => string; readonly label: string }

/** Copies text to the clipboard and says whether that worked. */
export function CopyButton({ text, label }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), 2000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      setOutcome('copied')
    } catch {
      setOutcome('refused')
    }
  }
  return (
    <Button look="quiet" className="px-1.5 text-12" onClick={() => void copy()}>
      {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
      <output>{outcome === undefined ? label : WORDS[outcome]}</output>
    </Button>
  )
}

const WORDS = { copied: 'Copied', refused: 'The browser refused' } as const
