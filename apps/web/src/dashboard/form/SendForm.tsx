import type { FormHTMLAttributes } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { type Sent, useSending } from '../client/use-sending.ts'
import { ProblemBox } from './Problem.tsx'
import { showWrong } from './show-wrong.ts'

type Props = Pick<FormHTMLAttributes<HTMLFormElement>, 'aria-label' | 'className' | 'children' | 'onKeyDown'> & {
  /** Tells the server what was typed; `form` is there to be emptied once that went well. */
  readonly send: (data: FormData, form: HTMLFormElement) => Promise<Sent>
  readonly submit: string
  /** Leaves it without sending. */
  readonly cancel?: () => void
}

/** Fields side by side, what stands in the way of what was sent, and the button that sends it, one sending at a time. */
export function SendForm({ send, submit, cancel, children, className = 'sm:grid-cols-2', ...form }: Props) {
  const { busy, problem, run } = useSending()
  return (
    <Form
      {...form}
      onInvalidCapture={showWrong}
      className={`grid max-w-3xl gap-4 ${className}`}
      send={(data, sent) => void run(() => send(data, sent))}
    >
      {children}
      <div className="col-span-full grid justify-items-start gap-3">
        <ProblemBox words={problem} />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busy={busy}>{submit}</SubmitButton>
          {cancel !== undefined && <Button onClick={cancel}>Cancel</Button>}
        </div>
      </div>
    </Form>
  )
}
