import { useState } from 'react'

import { forgetLetter, type ArrivalLetter } from './arrival.ts'
import { failureMessage } from './messages.ts'
import { StepForm, useAttempts, type Send } from './StepForm.tsx'
import { TextButton } from './TextButton.tsx'
import { useOwnEmail } from './use-own-email.ts'

type Props = {
  readonly letter: ArrivalLetter
  /** The reader is signed in now. */
  readonly redeemed: (letter: ArrivalLetter) => Promise<void>
  readonly back: () => void
}

/**
 * Where the link of a letter leads. It is redeemed when its reader presses the button and not before: programs that look
 * at mail open links too, and whoever is signed in here decides whether another account takes that place.
 */
export function LetterForm({ letter, redeemed, back }: Props) {
  const [spent, setSpent] = useState(false)
  const before = useOwnEmail()
  const { title, does, button } = WORDS[letter.type]
  const redeem: Send = async (client) => {
    const { data, error } = await client.verifyOtp({ token_hash: letter.tokenHash, type: letter.type })
    if (error !== null && error.code !== 'otp_expired') return failureMessage(error, 'sign-in')
    forgetLetter()
    setSpent(true)
    if (error !== null) return EXPIRED
    return data.session === null ? HALF : redeemed(letter)
  }
  return (
    <StepForm
      attempt={useAttempts()}
      title={title}
      does={does}
      button={spent ? undefined : button}
      send={redeem}
      below={
        <TextButton className="justify-self-start" onClick={back}>
          Back to sign in
        </TextButton>
      }
    >
      {before !== undefined && !spent && (
        <p className="text-13 text-ink-soft">
          This browser is signed in as <span className="font-medium text-ink">{before}</span>. If the link is for
          another account, going on replaces that sign-in.
        </p>
      )}
    </StepForm>
  )
}

const ONCE = 'The link from your mail works once.'

const WORDS = {
  signup: { title: 'Confirm your address', does: `Your account is ready then. ${ONCE}`, button: 'Confirm the address' },
  invite: {
    title: 'You are invited',
    does: `Accept, then choose a password. ${ONCE}`,
    button: 'Accept the invitation',
  },
  magiclink: { title: 'Sign in by mail', does: ONCE, button: 'Sign in with this link' },
  recovery: { title: 'Reset your password', does: `Go on to set a new one. ${ONCE}`, button: 'Continue' },
  email_change: {
    title: 'Confirm the new address',
    does: `The change takes effect once both addresses are confirmed. ${ONCE}`,
    button: 'Confirm the change',
  },
  email: { title: 'Continue from your mail', does: ONCE, button: 'Continue' },
} as const satisfies Record<
  ArrivalLetter['type'],
  { readonly title: string; readonly does: string; readonly button: string }
>

const EXPIRED = {
  title: 'Error',
  description:
    'Email link is invalid or has expired. Go back to sign in, and ask for a new one under "Forgot password?".',
  tone: 'plain',
} as const
const HALF = {
  title: 'Success',
  description:
    'This address is confirmed. Open the link that went to the other address as well, and the change is done.',
  tone: 'good',
} as const
