import { useState, type ComponentProps } from 'react'

import { Button } from './Button.tsx'
import { Field } from './Field.tsx'

type Props = Omit<ComponentProps<typeof Field>, 'type' | 'tool' | 'autoComplete'> & {
  readonly autoComplete: 'current-password' | 'new-password'
}

/** A password, hidden until its owner wants to see it; managers fill and keep it, and it can be pasted. */
export function PasswordField(props: Props) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      tool={
        <Button
          look="quiet"
          aria-pressed={shown}
          aria-label={shown ? 'Hide password' : 'Show password'}
          className="min-h-8 text-12"
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </Button>
      }
    />
  )
}
