import { useState } from 'react'

import type { AccountClient } from '../../session/auth-client.ts'
import { useAuth } from '../../session/auth-context.ts'
import { Form } from '../../ui/Form.tsx'
import { Button } from '../../ui/Button.tsx'
import { CodeField } from '../../ui/CodeField.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Field } from '../../ui/Field.tsx'
import { codeText, formText } from '../../ui/form-text.ts'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import { useSending } from '../client/use-sending.ts'

type Props = { readonly taken: readonly string[]; readonly done: () => Promise<void>; readonly cancel: () => void }

type Enrolment = { readonly id: string; readonly name: string; readonly picture: string; readonly secret: string }

/** Sets up an authenticator app: a name, the picture to scan, and the first code as proof that it works. */
export function EnrolFactor({ taken, done, cancel }: Props) {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  return enrolment === undefined ? (
    <NameForm taken={taken} begun={setEnrolment} cancel={cancel} />
  ) : (
    <ProofForm enrolment={enrolment} done={done} cancel={cancel} />
  )
}

type NameProps = Omit<Props, 'done'> & { readonly begun: (enrolment: Enrolment) => void }

function NameForm({ taken, begun, cancel }: NameProps) {
  const { client } = useAuth()
  const { busy, problem, run } = useSending()
  const begin = (name: string): Promise<void> =>
    run(async () => {
      if (client === undefined) return undefined
      await dropUnfinished(client, name)
      const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Septet' })
      if (error !== null) return { problem: error.message }
      begun({ id: data.id, name, picture: data.totp.qr_code, secret: data.totp.secret })
      return undefined
    })
  return (
    <Form
      className="grid max-w-sm gap-4"
      send={(data) => {
        const name = formText(data, 'name').trim()
        void begin(name)
      }}
    >
      <Field
        label="Name of the device or app"
        name="name"
        required
        maxLength={64}
        autoComplete="off"
        defaultValue={freeName(taken)}
        problem={problem}
      />
      <div className="flex gap-2">
        <SubmitButton busy={busy}>Continue</SubmitButton>
        <Button className="h-10" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

/** One that was begun under this name and left, by Cancel or by closing the page, would hold the name for five minutes. */
async function dropUnfinished(client: Pick<AccountClient, 'mfa'>, name: string): Promise<void> {
  const { data } = await client.mfa.listFactors()
  const unfinished = data?.all.find(({ friendly_name, status }) => friendly_name === name && status === 'unverified')
  if (unfinished !== undefined) await client.mfa.unenroll({ factorId: unfinished.id })
}

/** "Authenticator app", or with the first number that is not taken. */
export function freeName(taken: readonly string[]): string {
  const base = 'Authenticator app'
  if (!taken.includes(base)) return base
  let number = 2
  while (taken.includes(`${base} ${number}`)) number += 1
  return `${base} ${number}`
}

type ProofProps = Omit<Props, 'taken'> & { readonly enrolment: Enrolment }

function ProofForm({ enrolment: { id, name, picture, secret }, done, cancel }: ProofProps) {
  const { client } = useAuth()
  const { busy, problem, run } = useSending()
  const verify = (code: string): Promise<void> =>
    run(async () => {
      const { error } = (await client?.mfa.challengeAndVerify({ factorId: id, code })) ?? { error: null }
      if (error !== null) return { problem: error.message }
      await done()
      return { done: `${name} is set up. Sessions without it were signed out.` }
    })
  return (
    <Form
      className="grid max-w-xl gap-4 sm:grid-cols-[auto_1fr] sm:gap-6"
      send={(data) => {
        const code = codeText(data, 'code')
        void verify(code)
      }}
    >
      {/* Dark on white in both themes, with white around it: that is what cameras read, and how the picture comes. */}
      <img src={picture} alt="QR code of the secret below" className="size-44 rounded-control border border-line" />
      <div className="grid min-w-0 content-start gap-4">
        <p className="text-13 text-ink-soft">Scan the QR code with your app, or enter the secret:</p>
        <div className="flex flex-wrap items-center gap-2">
          <code className="rounded-control bg-sunken px-2 py-1 font-mono text-13">{spaced(secret)}</code>
          <CopyButton label="Copy" text={() => secret} />
        </div>
        <CodeField label="Six-digit code" name="code" />
        <ProblemBox words={problem} />
        <div className="flex gap-2">
          <SubmitButton busy={busy}>Verify</SubmitButton>
          <Button className="h-10" onClick={cancel}>
            Cancel
          </Button>
        </div>
      </div>
    </Form>
  )
}

const spaced = (secret: string): string => secret.replaceAll(/.{4}(?=.)/gu, '$& ')
