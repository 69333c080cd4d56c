import { useRef, useState, type ReactNode } from 'react'

import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { formText } from '../../ui/form-text.ts'

type Props = {
  readonly name?: string
  readonly label: string
  readonly note: string
  readonly takesFocus?: boolean
  readonly className: string
  readonly send: (reason: string) => void
  /** What stands below the reason: its buttons, and what was said of it. */
  readonly children: ReactNode
}

/** As the server has it. */
const SHORTEST = 3

/**
 * A form that asks for a reason that everybody will read. What is too short is said below it: the browser's own bubble
 * would cover what the form does.
 */
export function ReasonedForm({ name, label, note, takesFocus = false, className, send, children }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const check = (reason: string): void => {
    const isShort = reason.length < SHORTEST
    setProblem(isShort ? `Give a reason of at least ${SHORTEST} characters.` : undefined)
    if (isShort) field.current?.focus()
    else send(reason)
  }
  return (
    <Form aria-label={name} noValidate className={className} send={(data) => check(formText(data, 'reason').trim())}>
      <Field
        label={label}
        name="reason"
        onChange={() => setProblem(undefined)}
        required
        ref={field}
        problem={problem}
        maxLength={300}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a field that was asked for by the button that it replaces
        autoFocus={takesFocus}
        note={note}
      />
      {children}
    </Form>
  )
}
