import { useState } from 'react'

import type { AccountClient } from '../../session/auth-client.ts'
import { useAuth } from '../../session/auth-context.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Field } from '../../ui/Field.tsx'
import { codeText, formText } from '../../ui/form-text.ts'
import type { Sent } from '../client/use-sending.ts'
import { SendForm } from '../form/SendForm.tsx'

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
  const begin = async (data: FormData): Promise<Sent> => {
    const name = formText(data, 'name').trim()
    if (client === undefined) return undefined
    await dropUnfinished(client, name)
    const { data: made, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Septet' })
    if (error !== null) return { problem: error.message }
    begun({ id: made.id, name, picture: made.totp.qr_code, secret: made.totp.secret })
    return undefined
  }
  return (
    <SendForm className="max-w-sm" send={begin} submit="Continue" cancel={cancel}>
      <Field
        label="Name of the device or app"
        name="name"
        required
        maxLength={64}
        autoComplete="off"
        defaultValue={freeName(taken)}
      />
    </SendForm>
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
  const verify = async (data: FormData): Promise<Sent> => {
    const { error } = (await client?.mfa.challengeAndVerify({ factorId: id, code: codeText(data, 'code') })) ?? NO_ERROR
    if (error !== null) return { problem: error.message }
    await done()
    return { done: `${name} is set up. Sessions without it were signed out.` }
  }
  return (
    <SendForm
      className="max-w-xl sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-6"
      send={verify}
      submit="Verify"
      cancel={cancel}
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
      </div>
    </SendForm>
  )
}

const NO_ERROR = { error: null }

const spaced = (secret: string): string => secret.replaceAll(/.{4}(?=.)/gu, '$& ')
