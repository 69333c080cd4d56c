import { useState } from 'react'
import { useSearchParams } from 'react-router'

import { usePageTitle } from '../../../ui/use-page-title.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { AllowForm } from './AllowForm.tsx'
import { CodeForm } from './CodeForm.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { LoginResult, type Outcome } from './LoginResult.tsx'

/**
 * Where a person lets a command line in. A code in the address is taken only for a machine to which this browser goes
 * back: with any other a link could make its reader let a stranger in, so that code must be typed from the terminal.
 */
export function LoginPage() {
  usePageTitle('Sign in on the command line · Septet')
  const [parameters] = useSearchParams()
  const [typed, setTyped] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome | undefined>(outcomeOf(parameters.get('ended')))
  const code = typed ?? parameters.get('code') ?? undefined
  return (
    <LoginFrame>
      {outcome !== undefined && <LoginResult outcome={outcome} />}
      {outcome === undefined && code === undefined && <CodeForm find={setTyped} problem={undefined} />}
      {outcome === undefined && code !== undefined && (
        <Waiting key={code} code={code} isTyped={typed !== undefined} find={setTyped} end={setOutcome} />
      )}
    </LoginFrame>
  )
}

const OUTCOMES = ['done', 'denied', 'failed'] as const
const outcomeOf = (ended: string | null): Outcome | undefined => {
  const kind = OUTCOMES.find((each) => each === ended)
  return kind === undefined ? undefined : { kind, machine: undefined }
}

type WaitingProps = {
  readonly code: string
  readonly isTyped: boolean
  readonly find: (code: string) => void
  readonly end: (outcome: Outcome) => void
}

function Waiting({ code, isTyped, find, end }: WaitingProps) {
  const { data, error } = useAnswer('loginsGet', { code })
  if (data !== undefined && (isTyped || data.returns)) return <AllowForm code={code} asked={data} end={end} />
  if (data !== undefined) return <CodeForm find={find} problem={undefined} />
  if (error !== null) return <CodeForm find={find} problem={error} />
  return <output className="py-6 text-13 text-ink-soft">Looking for the machine that is waiting …</output>
}
