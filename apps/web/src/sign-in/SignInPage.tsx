import { useEffect, useState } from 'react'

import { openDoor } from '../session/auth-client.ts'
import type { OpenDoor } from '../session/auth-client.ts'
import { nextPath } from '../session/next-path.ts'
import { showToast, Toasts } from '../ui/Toasts.tsx'
import { arrive } from './arrival.ts'
import type { Screen } from './arrival.ts'
import { CredentialsForm } from './CredentialsForm.tsx'
import { DoorFrame } from './DoorFrame.tsx'
import { enter } from './enter.ts'
import { exceptionMessage } from './messages.ts'
import { NewPasswordForm } from './NewPasswordForm.tsx'
import { RecoverForm } from './RecoverForm.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'

/** The door. Someone who is signed in already is led on; everybody else gets the form. */
export function SignInPage() {
  const [open, setOpen] = useState<OpenDoor>()
  const [screen, setScreen] = useState<Screen>({ kind: 'credentials' })
  const [obstacle, setObstacle] = useState<string>()
  const goIn = () => letIn(setScreen, setObstacle)

  useEffect(() => {
    let here = true
    const go = (next: Screen): void => void (here && setScreen(next))
    openDoor()
      .then(async (opened) => {
        if (here) setOpen(opened)
        return arrive(opened.client, { go, enter: () => letIn(go, setObstacle) })
      })
      // The form stays: what it is asked to do will try the door again.
      .catch((error: unknown) => here && showToast(exceptionMessage(error)))
    return () => {
      here = false
    }
  }, [])

  return (
    <>
      <DoorFrame door={open?.door} obstacle={obstacle}>
        {screenOf(screen, { setScreen, goIn, open })}
      </DoorFrame>
      <Toasts />
    </>
  )
}

type Hands = {
  readonly setScreen: (screen: Screen) => void
  readonly goIn: () => Promise<void>
  readonly open: OpenDoor | undefined
}

function screenOf(screen: Screen, { setScreen, goIn, open }: Hands) {
  const toCredentials = (): void => setScreen({ kind: 'credentials' })
  const toNewPassword = (): void => setScreen({ kind: 'new-password' })
  const embedded = open?.door.mode === 'embedded'
  if (screen.kind === 'recover')
    return <RecoverForm email={screen.email} embedded={embedded} back={toCredentials} proven={toNewPassword} />
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
  return <CredentialsForm door={open?.door} signedIn={goIn} forgot={(email) => setScreen({ kind: 'recover', email })} />
}

/** Leads a signed-in person on, or says what is still missing: in passing, and on the page for as long as it stands. */
async function letIn(go: (screen: Screen) => void, tell: (obstacle: string | undefined) => void): Promise<void> {
  const to = nextPath(location.search, location.origin)
  const { client } = await openDoor()
  const entry = await enter(client, to)
  tell(entry.kind === 'refused' ? entry.message.description : undefined)
  if (entry.kind === 'in') location.assign(to)
  else if (entry.kind === 'second-factor') go({ kind: 'second-factor', afterwards: 'enter' })
  else if (entry.kind === 'refused') showToast(entry.message)
}
