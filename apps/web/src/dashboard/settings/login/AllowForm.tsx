import type { Role } from '@septet/domain'
import type { ReactNode } from 'react'

import { tell, type Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { formText } from '../../../ui/form-text.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { minuteTime } from '../../../ui/time-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useSending } from '../../client/use-sending.ts'
import { Problem } from '../../form/Problem.tsx'
import { limitWords, ROLE_NAMES } from '../../words/role-words.ts'
import { LoginHeading } from './LoginHeading.tsx'
import type { Outcome } from './LoginResult.tsx'

type Props = {
  readonly code: string
  readonly asked: Answer<'loginsGet'>
  readonly end: (outcome: Outcome) => void
}

/** Which machine asks, with which code, and what it would be allowed: one press decides. */
export function AllowForm({ code, asked, end }: Props) {
  const { busy, problem, run } = useSending()
  const own = useAnswer('sessionMe', {}).data?.role
  const { machine } = asked
  const finish = (returnTo: string | null, kind: Outcome['kind']): undefined => {
    if (returnTo === null) end({ kind, machine })
    else location.assign(returnTo)
    return undefined
  }
  const allow = (data: FormData): Promise<void> =>
    run(async () => {
      const role = ROLE_NAMES.find((name) => name === formText(data, 'role')) ?? 'viewer'
      return finish((await tell('loginsAllow', { code, role })).returnTo, 'done')
    })
  const deny = (): Promise<void> => run(async () => finish((await tell('loginsDeny', { code })).returnTo, 'denied'))
  return (
    <>
      <LoginHeading title={`Let ${machine} use Septet as you?`}>
        Choose Allow only if you just ran <code className="font-mono">septet login</code> there and your terminal shows
        this code.
      </LoginHeading>
      <p className="rounded-control bg-sunken py-3 text-center font-mono text-20 tracking-[0.2em]">{grouped(code)}</p>
      <Facts asked={asked} />
      <Form className="grid gap-4" send={(data) => void allow(data)}>
        {own !== undefined && <RoleField own={own} wanted={asked.role} />}
        <Problem words={problem} />
        <div className="grid grid-cols-2 gap-3">
          <Button className="h-10 text-14" disabled={busy} onClick={() => void deny()}>
            Deny
          </Button>
          <SubmitButton busy={busy || own === undefined}>Allow</SubmitButton>
        </div>
      </Form>
    </>
  )
}

const Facts = ({ asked: { machine, address, askedAt, namespaces } }: Pick<Props, 'asked'>) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-13">
    <Fact name="Machine">{machine}</Fact>
    <Fact name="Address">
      {address}, at {minuteTime(askedAt)}
    </Fact>
    <Fact name="Clusters">all that you can see</Fact>
    <Fact name="Namespaces">{limitWords(namespaces)}</Fact>
    <Fact name="Expires">in 90 days, or when you revoke it under Settings, API tokens</Fact>
  </dl>
)

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-ink-soft">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </>
)

/** In as few words as the field shows on a phone. */
const MAY = {
  viewer: 'read only',
  operator: 'can approve actions',
  admin: 'full access',
} satisfies Record<Role, string>

/** As little as the machine asked for, at first; never more than the person may do. */
function RoleField({ own, wanted }: { readonly own: Role; readonly wanted: Role | null }) {
  const roles = ROLE_NAMES.slice(0, ROLE_NAMES.indexOf(own) + 1)
  return (
    <SelectField
      label="Role"
      name="role"
      defaultValue={roles.includes(wanted ?? 'viewer') ? (wanted ?? 'viewer') : own}
      choices={roles.map((value) => ({ value, words: `${value} (${MAY[value]})` }))}
    />
  )
}

/** As the terminal shows it, however it was typed. */
const grouped = (code: string): string => {
  const letters = code.toUpperCase().replaceAll(/[^A-Z]/gu, '')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
