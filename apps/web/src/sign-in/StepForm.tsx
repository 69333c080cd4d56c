import { useEffect, useRef, useState, type ReactNode, type Ref } from 'react'

import { openAccountClient, type AccountClient } from '../session/auth-client.ts'
import { Form } from '../ui/Form.tsx'
import { SubmitButton } from '../ui/SubmitButton.tsx'
import { showToast, type ToastMessage } from '../ui/Toasts.tsx'
import { exceptionMessage } from './messages.ts'

/** What is done with the account service, and what there is to say of it. */
export type Send = (client: AccountClient, data: FormData) => Promise<ToastMessage | undefined | void>

type Props = {
  readonly attempt: Attempts
  /** What this step is, under the card's title. */
  readonly title?: string
  readonly does?: ReactNode
  /** Absent where nothing is left to send. */
  readonly button: string | undefined
  readonly send: Send
  readonly children?: ReactNode
  /** Other ways on. */
  readonly below?: ReactNode
  readonly ref?: Ref<HTMLFormElement>
}

/** One step of the sign-in page: what it is, what is typed, what was said of the last attempt, and its button. */
export function StepForm({ attempt: { busy, said, run }, title, does, button, send, children, below, ref }: Props) {
  return (
    <Form
      ref={ref ?? null}
      {...(title === undefined ? { 'aria-describedby': 'sign-in-title' } : {})}
      className="grid gap-4"
      send={(data) => void run((client) => send(client, data))}
    >
      {title !== undefined && <StepHeading title={title}>{does}</StepHeading>}
      {children}
      <Said message={said} />
      {button !== undefined && <SubmitButton busy={busy}>{button}</SubmitButton>}
      {below}
    </Form>
  )
}

/** It takes the focus when the step begins, so that it is read out and tabbing starts there. */
function StepHeading({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="grid gap-1">
      <h2 ref={heading} tabIndex={-1} className="rounded-control text-16 font-medium outline-none">
        {title}
      </h2>
      {children !== undefined && <p className="text-13 text-ink-soft">{children}</p>}
    </div>
  )
}

/**
 * What the toast said, for as long as it matters. The toast announces it, so this is not a live region: it would be read
 *  out twice.
 */
const Said = ({ message }: { readonly message: ToastMessage | undefined }) =>
  message === undefined ? null : (
    <div
      data-testid="said"
      className={`enters rounded-control px-3 py-2 text-13 ${message.tone === 'good' ? 'bg-busy-soft' : 'bg-fault-soft'}`}
    >
      <span className="font-medium">{message.title}:</span> {message.description}
    </div>
  )

export type Attempts = {
  readonly busy: boolean
  /** What was said last, for those who missed it in the corner. It stays on the form until the next attempt. */
  readonly said: ToastMessage | undefined
  /** Makes one attempt at a time, and says what comes of it; what it throws becomes words. */
  readonly run: (attempt: (client: AccountClient) => ReturnType<Send>) => Promise<void>
}

/** Attempts of one step. */
export function useAttempts(): Attempts {
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<ToastMessage>()
  const running = useRef(false)
  const run: Attempts['run'] = async (attempt) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setSaid(undefined)
    const message = await openAccountClient()
      .then(({ client }) => attempt(client))
      .catch(exceptionMessage)
    if (message) {
      setSaid(message)
      showToast(message)
    }
    running.current = false
    setBusy(false)
  }
  return { busy, said, run }
}
