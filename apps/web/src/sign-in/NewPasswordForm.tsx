import { openAccountClient } from '../session/auth-client.ts'
import { Form } from '../ui/Form.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { SubmitButton } from '../ui/SubmitButton.tsx'
import { showToast } from '../ui/Toasts.tsx'
import { formText } from '../ui/form-text.ts'
import { failureMessage } from './messages.ts'
import { Said } from './Said.tsx'
import { StepHeading } from './StepHeading.tsx'
import { useAttempt } from './use-attempt.ts'
import { useOwnEmail } from './use-own-email.ts'

type Props = { readonly done: () => Promise<void>; readonly secondFactor: () => void }

/** The end of a recovery: one new password, for an account whose owner has just been proven by mail. */
export function NewPasswordForm({ done, secondFactor }: Props) {
  const { busy, said, say, run } = useAttempt()
  const email = useOwnEmail()
  const change = async (password: string): Promise<void> => {
    const { client } = await openAccountClient()
    const { error } = await client.updateUser({ password })
    if (error?.code === 'insufficient_aal') return secondFactor()
    if (error !== null) return say(failureMessage(error, 'sign-in'))
    showToast({
      title: 'Success',
      description: 'Your password is changed. Other devices are signed out.',
      tone: 'good',
    })
    return done()
  }
  return (
    <Form
      className="grid gap-4"
      send={(data) => {
        const password = formText(data, 'password')
        void run(() => change(password))
      }}
    >
      <StepHeading title="Set a new password">
        {email === undefined ? undefined : (
          <>
            For <span className="font-medium text-ink">{email}</span>.
          </>
        )}
      </StepHeading>
      {/* Tells password managers whose password this is. */}
      <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
      <PasswordField label="New password" name="password" required autoComplete="new-password" />
      <Said message={said} />
      <SubmitButton busy={busy}>Set the password</SubmitButton>
    </Form>
  )
}
