import { Field } from './Field.tsx'

type Props = { readonly label: string; readonly name: string; readonly note?: string }

/** Six digits from a letter or an authenticator; spaces and dashes in what is pasted do no harm. */
export const CodeField = ({ label, name, note }: Props) => (
  <Field
    label={label}
    name={name}
    required
    inputMode="numeric"
    autoComplete="one-time-code"
    pattern="[0-9\s\-]{6,13}"
    title="Six digits"
    maxLength={13}
    className="font-mono tracking-[0.2em]"
    {...(note === undefined ? {} : { note })}
  />
)
