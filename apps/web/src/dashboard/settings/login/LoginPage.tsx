import type { Role } from '@septet/domain'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'

import { type Answer, tell } from '../../../api.ts'
import { useAuth } from '../../../session/auth-context.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { LogoLink } from '../../../ui/Logo.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { formText } from '../../../ui/form-text.ts'
import { minuteTime } from '../../../ui/time-words.ts'
import { usePageTitle } from '../../../ui/use-page-title.ts'
import { failureWords } from '../../client/failure-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useSending } from '../../client/use-sending.ts'
import { ProblemBox } from '../../form/Problem.tsx'
import { Fact, FactList } from '../../panel/Facts.tsx'
import { limitWords, ROLE_NAMES } from '../../words/role-words.ts'

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
        <LogoLink href="/dashboard" className="inline-flex gap-2.5" />
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
      <ProblemBox words={problem === undefined ? undefined : failureWords(problem)} />
      <SubmitButton busy={false}>Continue</SubmitButton>
    </Form>
  </>
)

type AllowProps = {
  readonly code: string
  readonly asked: Answer<'loginsGet'>
  readonly end: (outcome: Outcome) => void
}

/** Which machine asks, with which code, and what it would be allowed: one press decides. */
function AllowForm({ code, asked, end }: AllowProps) {
  const { busy, problem, run } = useSending()
  const own = useAnswer('sessionMe', {}).data?.role
  const { machine } = asked
  const finish = (returnTo: string | null, kind: Outcome['kind']): undefined => {
    if (returnTo === null) end({ kind, machine })
    else location.assign(returnTo)
    return undefined
  }
  const allow = (data: FormData): Promise<void> =>
    run(async () => {
      const role = ROLE_NAMES.find((name) => name === formText(data, 'role')) ?? 'viewer'
      return finish((await tell('loginsAllow', { code, role })).returnTo, 'done')
    })
  const deny = (): Promise<void> => run(async () => finish((await tell('loginsDeny', { code })).returnTo, 'denied'))
  return (
    <>
      <LoginHeading title={`Let ${machine} use Septet as you?`}>
        Choose Allow only if you just ran <code className="font-mono">septet login</code> there and your terminal shows
        this code.
      </LoginHeading>
      <p className="rounded-control bg-sunken py-3 text-center font-mono text-20 tracking-[0.2em]">{grouped(code)}</p>
      <Facts asked={asked} />
      <Form className="grid gap-4" send={(data) => void allow(data)}>
        {own !== undefined && <RoleField own={own} wanted={asked.role} />}
        <ProblemBox words={problem} />
        <div className="grid grid-cols-2 gap-3">
          <Button className="h-10 text-14" disabled={busy} onClick={() => void deny()}>
            Deny
          </Button>
          <SubmitButton busy={busy || own === undefined}>Allow</SubmitButton>
        </div>
      </Form>
    </>
  )
}

const Facts = ({ asked: { machine, address, askedAt, namespaces } }: Pick<AllowProps, 'asked'>) => (
  <FactList>
    <Fact name="Machine">{machine}</Fact>
    <Fact name="Address">
      {address}, at {minuteTime(askedAt)}
    </Fact>
    <Fact name="Clusters">all that you can see</Fact>
    <Fact name="Namespaces">{limitWords(namespaces)}</Fact>
    <Fact name="Expires">in 90 days, or when you revoke it under Settings, API tokens</Fact>
  </FactList>
)

/** In as few words as the field shows on a phone. */
const MAY = {
  viewer: 'read only',
  operator: 'can approve actions',
  admin: 'full access',
} satisfies Record<Role, string>

/** As little as the machine asked for, at first; never more than the person may do. */
function RoleField({ own, wanted }: { readonly own: Role; readonly wanted: Role | null }) {
  const roles = ROLE_NAMES.slice(0, ROLE_NAMES.indexOf(own) + 1)
  return (
    <SelectField
      label="Role"
      name="role"
      defaultValue={roles.includes(wanted ?? 'viewer') ? (wanted ?? 'viewer') : own}
      choices={roles.map((value) => ({ value, words: `${value} (${MAY[value]})` }))}
    />
  )
}

/** As the terminal shows it, however it was typed. */
const grouped = (code: string): string => {
  const letters = code.toUpperCase().replaceAll(/[^A-Z]/gu, '')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

type Outcome = {
  readonly kind: 'done' | 'denied' | 'failed'
  /** Undefined where the browser comes back from the machine itself: then the address tells, and it may say anything. */
  readonly machine: string | undefined
}

/** How it ended, and where to go on. */
const LoginResult = ({ outcome: { kind, machine = 'Your terminal' } }: { readonly outcome: Outcome }) => (
  <LoginHeading title={TITLES[kind]}>{WORDS[kind](machine)}</LoginHeading>
)

const TITLES = { done: 'Allowed', denied: 'Denied', failed: 'Sign-in failed' } satisfies Record<Outcome['kind'], string>

const WORDS = {
  done: (machine) => `${machine} can now use Septet as you. You can close this page.`,
  denied: (machine) => `${machine} did not get access. You can close this page.`,
  failed: () => 'Your terminal shows what went wrong. Run septet login again.',
} satisfies Record<Outcome['kind'], (machine: string) => string>

/** What this step asks, and one sentence about it. */
const LoginHeading = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="grid gap-1.5">
    <h1 id="login-title" className="text-20 font-semibold tracking-[-0.015em] wrap-anywhere">
      {title}
    </h1>
    {children !== undefined && <p className="text-13 text-ink-soft">{children}</p>}
  </div>
)
