import type { Factor } from '@supabase/supabase-js'
import { useState } from 'react'

import type { AccountClient } from '../../session/auth-client.ts'
import { useAuth } from '../../session/auth-context.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CodeField } from '../../ui/CodeField.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Field } from '../../ui/Field.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { codeText, formText } from '../../ui/form-text.ts'
import { dayTime } from '../../ui/time-words.ts'
import { type Sent, useSending } from '../client/use-sending.ts'
import { ProblemBox } from '../form/Problem.tsx'
import { SendForm } from '../form/SendForm.tsx'

/** A second factor: what is enrolled, another one, and away with one. */
export function FactorPanel() {
  const { user, client } = useAuth()
  const [enrolling, setEnrolling] = useState(false)
  const factors = (user?.factors ?? []).filter(({ factor_type }) => factor_type === 'totp')
  const verified = factors.filter(({ status }) => status === 'verified')
  // The session keeps a copy of its person; a refresh brings the new one.
  const changed = async (): Promise<void> => {
    setEnrolling(false)
    await client?.refreshSession()
  }
  return (
    <Panel
      title="Second factor"
      aside={<Badge tone={verified.length > 0 ? 'good' : 'secondary'}>{verified.length > 0 ? 'On' : 'Off'}</Badge>}
    >
      <p className="mb-4 max-w-xl text-13 text-ink-soft">
        Septet asks for a code from an authenticator app after your password, so a stolen password is not enough.
      </p>
      {verified.length > 0 && <FactorList factors={verified} changed={changed} />}
      {enrolling ? (
        <EnrolFactor taken={factors.map(nameOf)} done={changed} cancel={() => setEnrolling(false)} />
      ) : (
        <Button className="min-h-8 self-start" onClick={() => setEnrolling(true)}>
          {verified.length > 0 ? 'Add another authenticator' : 'Set up an authenticator app'}
        </Button>
      )}
    </Panel>
  )
}

const nameOf = ({ friendly_name }: Pick<Factor, 'friendly_name'>): string => friendly_name ?? 'Authenticator app'

type ListProps = { readonly factors: readonly Factor[]; readonly changed: () => Promise<void> }

function FactorList({ factors, changed }: ListProps) {
  const { client } = useAuth()
  const { busy, problem, run } = useSending()
  const remove = (factor: Factor): Promise<void> =>
    run(async () => {
      const { error } = (await client?.mfa.unenroll({ factorId: factor.id })) ?? { error: null }
      if (error !== null) return { problem: error.message }
      await changed()
      return { done: `${nameOf(factor)} removed.` }
    })
  return (
    <div className="mb-4 grid gap-2">
      <ul className="grid divide-y divide-line border-t border-line">
        {factors.map((factor) => (
          <li key={factor.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-13">
            <span>
              <span className="font-medium">{nameOf(factor)}</span>{' '}
              <span className="text-ink-quiet">since {dayTime(factor.created_at)}</span>
            </span>
            <Button disabled={busy} aria-label={`Remove ${nameOf(factor)}`} onClick={() => void remove(factor)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <ProblemBox words={problem} />
    </div>
  )
}

type Props = { readonly taken: readonly string[]; readonly done: () => Promise<void>; readonly cancel: () => void }

type Enrolment = { readonly id: string; readonly name: string; readonly picture: string; readonly secret: string }

/** Sets up an authenticator app: a name, the picture to scan, and the first code as proof that it works. */
function EnrolFactor({ taken, done, cancel }: Props) {
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
