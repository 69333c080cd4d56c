import { useEffect, useState } from 'react'

import { openAccountClient, type OpenAccountClient } from '../session/auth-client.ts'
import { nextPath } from '../session/next-path.ts'
import { showToast, Toasts } from '../ui/Toasts.tsx'
import { arrive, firstScreen, forgetLetter, towardsNewPassword, type ArrivalLetter, type Screen } from './arrival.ts'
import { CredentialsForm } from './CredentialsForm.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { enterDashboard } from './enter.ts'
import { LetterForm } from './LetterForm.tsx'
import { exceptionMessage, failureMessage } from './messages.ts'
import { RecoverForm } from './RecoverForm.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { arriveBySso, ssoStart } from './sso-arrival.ts'
import { PasswordField } from '../ui/PasswordField.tsx'
import { formText } from '../ui/form-text.ts'
import { StepForm, useAttempts, type Send } from './StepForm.tsx'
import { useOwnEmail } from './use-own-email.ts'

/** The sign-in page. Someone who is signed in already is led on; everybody else gets the form. */
export function SignInPage() {
  const [open, setOpen] = useState<OpenAccountClient>()
  const [screen, setScreen] = useState(firstScreen)
  const [obstacle, setObstacle] = useState<string>()
  const goIn = () => letIn(setScreen, setObstacle)

  useEffect(() => {
    let here = true
    const go = (next: Screen): void => void (here && setScreen(next))
    openAccountClient()
      .then(async (opened) => {
        if (here) setOpen(opened)
        const problem = await arriveBySso(opened)
        await arrive(() => letIn(go, setObstacle))
        return problem === undefined ? undefined : setObstacle(problem)
      })
      // The form stays: what it is asked to do will try the sign-in page again.
      .catch((error: unknown) => here && showToast(exceptionMessage(error)))
    return () => {
      here = false
    }
  }, [])

  return (
    <>
      <SignInFrame signInInfo={open?.signInInfo} obstacle={obstacle}>
        {screenOf(screen, { setScreen, goIn, open })}
      </SignInFrame>
      <Toasts />
    </>
  )
}

type Hands = {
  readonly setScreen: (screen: Screen) => void
  readonly goIn: () => Promise<void>
  readonly open: OpenAccountClient | undefined
}

function screenOf(screen: Screen, { setScreen, goIn, open }: Hands) {
  const toCredentials = (): void => setScreen({ kind: 'credentials' })
  const toNewPassword = (): void => setScreen({ kind: 'new-password' })
  const proven = async (): Promise<void> => setScreen(await towardsNewPassword((await openAccountClient()).client))
  const redeemed = ({ type }: ArrivalLetter): Promise<void> => (SETS_PASSWORD.has(type) ? proven() : goIn())
  if (screen.kind === 'letter') {
    const back = (): void => {
      forgetLetter()
      toCredentials()
      void goIn()
    }
    return <LetterForm letter={screen.letter} redeemed={redeemed} back={back} />
  }
  const embedded = open?.signInInfo.mode === 'embedded'
  if (screen.kind === 'recover')
    return <RecoverForm email={screen.email} embedded={embedded} back={toCredentials} proven={proven} />
  if (screen.kind === 'new-password')
    return (
      <NewPasswordForm
        done={goIn}
        secondFactor={() => setScreen({ kind: 'second-factor', afterwards: 'new-password' })}
      />
    )
  if (screen.kind === 'second-factor') {
    const passed = screen.afterwards === 'new-password' ? toNewPassword : () => void goIn()
    return <SecondFactorForm passed={passed} back={toCredentials} />
  }
  const sso = open?.signInInfo.sso
  return (
    <>
      {sso !== undefined && <SsoLink name={sso.name} />}
      <CredentialsForm
        signInInfo={open?.signInInfo}
        signedIn={goIn}
        forgot={(email) => setScreen({ kind: 'recover', email })}
      />
    </>
  )
}

/** The way in by a sign-in provider, and what follows it. */
const SsoLink = ({ name }: { readonly name: string }) => (
  <div className="grid gap-4">
    <a
      href={ssoStart(location.search)}
      className="inline-flex min-h-10 items-center justify-center rounded-control border border-line bg-surface px-4 py-2 text-center text-14 font-medium wrap-anywhere transition-colors hover:border-line-strong"
    >
      Continue with {name}
    </a>
    <p className="flex items-center gap-3 text-13 text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or with a password
    </p>
  </div>
)

/** Readers of these letters have no password that they know. */
const SETS_PASSWORD: ReadonlySet<ArrivalLetter['type']> = new Set(['recovery', 'invite'])

/** Leads a signed-in person on, or says what is still missing: in passing, and on the page for as long as it stands. */
async function letIn(go: (screen: Screen) => void, tell: (obstacle: string | undefined) => void): Promise<void> {
  const to = nextPath(location.search, location.origin)
  const { client } = await openAccountClient()
  const entry = await enterDashboard(client, to)
  tell(entry.kind === 'refused' ? entry.message.description : undefined)
  if (entry.kind === 'in') location.assign(to)
  else if (entry.kind === 'second-factor') go({ kind: 'second-factor', afterwards: 'enter' })
  else if (entry.kind === 'refused') showToast(entry.message)
}

type Props = { readonly done: () => Promise<void>; readonly secondFactor: () => void }

/** The end of a recovery: one new password, for an account whose owner has just been proven by mail. */
function NewPasswordForm({ done, secondFactor }: Props) {
  const attempt = useAttempts()
  const email = useOwnEmail()
  const change: Send = async (client, data) => {
    const { error } = await client.updateUser({ password: formText(data, 'password') })
    if (error?.code === 'insufficient_aal') return secondFactor()
    if (error !== null) return failureMessage(error, 'sign-in')
    showToast({
      title: 'Success',
      description: 'Your password is changed. Other devices are signed out.',
      tone: 'good',
    })
    return done()
  }
  const whose = email !== undefined && (
    <>
      For <span className="font-medium text-ink">{email}</span>.
    </>
  )
  return (
    <StepForm
      attempt={attempt}
      title="Set a new password"
      does={whose || undefined}
      button="Set the password"
      send={change}
    >
      {/* Tells password managers whose password this is. */}
      <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
      <PasswordField label="New password" name="password" required autoComplete="new-password" />
    </StepForm>
  )
}
