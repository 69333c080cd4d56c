import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { formText } from '../../../ui/form-text.ts'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { failureWords } from '../../client/failure-words.ts'
import { Problem } from '../../form/Problem.tsx'
import { LoginHeading } from './LoginHeading.tsx'

type Props = {
  readonly find: (code: string) => void
  /** Why the last code led nowhere. */
  readonly problem: Error | undefined
}

/** There is nothing else to do here. */
const takeFocus = (field: HTMLInputElement | null): void => field?.focus()

/** The code of the terminal, typed by whoever sits before it. */
export const CodeForm = ({ find, problem }: Props) => (
  <>
    <LoginHeading title="Sign in on the command line">
      Enter the code that <code className="font-mono">septet login</code> shows in your terminal. If you did not run it,
      close this page: someone may be trying to get in as you.
    </LoginHeading>
    <Form
      className="grid gap-4"
      send={(data) =>
        find(
          formText(data, 'code')
            .toUpperCase()
            .replaceAll(/[^A-Z]/gu, ''),
        )
      }
    >
      <Field
        label="Code"
        name="code"
        required
        verbatim
        ref={takeFocus}
        placeholder="XXXX-XXXX"
        maxLength={20}
        pattern="\s*[A-Za-z]{4}[\s\-]*[A-Za-z]{4}\s*"
        title="Eight letters, like BCDF-GHJK"
        className="font-mono tracking-[0.2em] uppercase placeholder:normal-case"
      />
      <Problem words={problem === undefined ? undefined : failureWords(problem)} />
      <SubmitButton busy={false}>Continue</SubmitButton>
    </Form>
  </>
)
