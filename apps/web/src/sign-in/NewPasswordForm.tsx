import { PasswordField } from '../ui/PasswordField.tsx'
import { showToast } from '../ui/Toasts.tsx'
import { formText } from '../ui/form-text.ts'
import { failureMessage } from './messages.ts'
import { StepForm, useAttempts, type Send } from './StepForm.tsx'
import { useOwnEmail } from './use-own-email.ts'

type Props = { readonly done: () => Promise<void>; readonly secondFactor: () => void }

/** The end of a recovery: one new password, for an account whose owner has just been proven by mail. */
export function NewPasswordForm({ done, secondFactor }: Props) {
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
