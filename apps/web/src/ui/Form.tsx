import type { FormHTMLAttributes, Ref } from 'react'

type Props = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & {
  /** What to do with what was typed; the page stays. */
  readonly send: (data: FormData) => void
  readonly ref?: Ref<HTMLFormElement>
}

/** A form that is sent by script: by its button, and by Enter in a field. */
export function Form({ send, children, ...form }: Props) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        send(new FormData(event.currentTarget))
      }}
    >
      {children}
    </form>
  )
}
