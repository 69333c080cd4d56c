import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'

import { useAuth } from '../../../session/auth-context.ts'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Logo } from '../../../ui/Logo.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { formText } from '../../../ui/form-text.ts'
import { usePageTitle } from '../../../ui/use-page-title.ts'
import { failureWords } from '../../client/failure-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Problem } from '../../form/Problem.tsx'
import { AllowForm } from './AllowForm.tsx'
import { LoginHeading } from './LoginHeading.tsx'
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

/** The room around one decision: whose it is, and nothing else to press. */
function LoginFrame({ children }: { readonly children: ReactNode }) {
  const email = useAuth().session?.user.email
  return (
    <div className="flex min-h-dvh flex-col px-4 py-6 sm:px-7">
      <header>
        <a
          href="/dashboard"
          className="inline-flex items-center gap-2.5 rounded-control text-16 font-semibold tracking-tight"
        >
          <Logo />
          septet
        </a>
      </header>
      <main className="mx-auto grid w-full max-w-110 flex-1 content-center gap-4 py-8">
        <section
          aria-labelledby="login-title"
          className="grid gap-5 rounded-card border border-line bg-surface px-5 py-6 sm:px-7 sm:py-7"
        >
          {children}
        </section>
        {email !== undefined && (
          <p className="text-center text-13 wrap-anywhere text-ink-soft">
            Signed in as <span className="font-medium text-ink">{email}</span>
          </p>
        )}
      </main>
    </div>
  )
}

type Props = {
  readonly find: (code: string) => void
  /** Why the last code led nowhere. */
  readonly problem: Error | undefined
}

/** There is nothing else to do here. */
const takeFocus = (field: HTMLInputElement | null): void => field?.focus()

/** The code of the terminal, typed by whoever sits before it. */
const CodeForm = ({ find, problem }: Props) => (
  <>
    <LoginHeading title="Sign in on the command line">
      Enter the code that <code className="font-mono">septet login</code> shows in your terminal. If you did not run it,
      close this page: someone may be trying to get in as you.
    </LoginHeading>
    <Form
      className="grid gap-4"
      send={(data) =>
        find(
          formText(data, 'code')
            .toUpperCase()
            .replaceAll(/[^A-Z]/gu, ''),
        )
      }
    >
      <Field
        label="Code"
        name="code"
        required
        verbatim
        ref={takeFocus}
        placeholder="XXXX-XXXX"
        maxLength={20}
        pattern="\s*[A-Za-z]{4}[\s\-]*[A-Za-z]{4}\s*"
        title="Eight letters, like BCDF-GHJK"
        className="font-mono tracking-[0.2em] uppercase placeholder:normal-case"
      />
      <Problem words={problem === undefined ? undefined : failureWords(problem)} />
      <SubmitButton busy={false}>Continue</SubmitButton>
    </Form>
  </>
)
