import { useEffect, useState } from 'react'

import { Button } from './Button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

type Props = {
  readonly text: () => string
  readonly label: string
  /** What is left of the label in a narrow container; its name stays whole. */
  readonly narrow?: string
}

/** Copies text to the clipboard and says whether that worked. */
export function CopyButton({ text, label, narrow }: Props) {
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
    <Button
      look="quiet"
      className="px-1.5 text-12"
      aria-label={outcome === undefined ? label : undefined}
      onClick={() => void copy()}
    >
      {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
      <output>{outcome === undefined ? <Label label={label} narrow={narrow} /> : WORDS[outcome]}</output>
    </Button>
  )
}

const Label = ({ label, narrow }: { readonly label: string; readonly narrow: string | undefined }) =>
  narrow === undefined ? (
    label
  ) : (
    <>
      <span className="@max-md:hidden">{label}</span>
      <span className="@md:hidden">{narrow}</span>
    </>
  )

const WORDS = { copied: 'Copied', refused: 'The browser refused' } as const
