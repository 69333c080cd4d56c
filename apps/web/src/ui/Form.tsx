import type { FormHTMLAttributes, Ref } from 'react'

type Props = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & {
  /** What to do with what was typed; the page stays, and the form may be emptied. */
  readonly send: (data: FormData, form: HTMLFormElement) => void
  readonly ref?: Ref<HTMLFormElement>
}

/** A form that is sent by script: by its button, and by Enter in a field. */
export function Form({ send, children, ...form }: Props) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        send(new FormData(event.currentTarget), event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}
