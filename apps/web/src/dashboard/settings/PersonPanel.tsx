import { listed } from '@septet/domain/words'
import { useId, useState } from 'react'

import { tell } from '../../api.ts'
import { useAuth } from '../../session/auth-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type Sent, useSending } from '../client/use-sending.ts'
import { ProblemBox } from '../form/Problem.tsx'
import { TypedConfirm } from '../form/TypedConfirm.tsx'
import { saveJson } from '../panel/save-file.ts'

type Props = { readonly emails: readonly string[]; readonly changed: () => void }

const NOBODY = { problem: 'Enter the email address first.' } as const

/** What is stored about one person, who need not be a member any more: kept as a file, or deleted. */
export function PersonPanel({ emails, changed }: Props) {
  const [email, setEmail] = useState('')
  const [isLeaving, setLeaving] = useState(false)
  const [exported, setExported] = useState<string>()
  const { busy, problem, run } = useSending()
  const person = email.trim().toLowerCase()
  const choose = (typed: string): void => {
    setEmail(typed)
    setLeaving(false)
    setExported(undefined)
  }
  const keep = async (): Promise<Sent> => {
    setExported(undefined)
    if (person === '') return NOBODY
    const found = await tell('personExport', { email: person })
    const records = found.data.reduce((sum, { rows }) => sum + rows.length, 0)
    if (records === 0) return { problem: `Septet stores nothing about ${found.email}.` }
    saveJson(found, `septet-${found.email}.json`)
    // Not in the corner, whose message would cover the other button on a phone.
    setExported(found.email)
    return undefined
  }
  const begin = async (): Promise<Sent> => {
    setLeaving(person !== '')
    return person === '' ? NOBODY : undefined
  }
  return (
    <Panel title="A person’s data">
      <div className="grid max-w-3xl gap-4">
        <PersonField emails={emails} value={email} choose={choose} />
        <ProblemBox words={problem} />
        <div className="flex flex-wrap gap-3">
          <Button disabled={busy} onClick={() => void run(keep)}>
            Export as JSON
          </Button>
          <Button disabled={busy} onClick={() => void run(begin)}>
            Delete…
          </Button>
        </div>
        <output className="text-13 text-ink-soft empty:hidden">
          {exported !== undefined && `Exported what is stored about ${exported}.`}
        </output>
        {isLeaving && (
          <Forget
            person={person}
            cancel={() => setLeaving(false)}
            forgotten={() => {
              choose('')
              changed()
            }}
          />
        )}
      </div>
    </Panel>
  )
}

type FieldProps = {
  readonly emails: readonly string[]
  readonly value: string
  readonly choose: (typed: string) => void
}

function PersonField({ emails, value, choose }: FieldProps) {
  const listId = useId()
  return (
    <>
      <Field
        label="Email of the person"
        type="email"
        list={listId}
        value={value}
        onChange={(event) => choose(event.target.value)}
        note="Any address that Septet has data about, including former members."
        verbatim
      />
      <datalist id={listId}>
        {emails.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </datalist>
    </>
  )
}

type ForgetProps = { readonly person: string; readonly cancel: () => void; readonly forgotten: () => void }

function Forget({ person, cancel, forgotten }: ForgetProps) {
  const isHosted = useAuth().signInInfo?.mode === 'hosted'
  return (
    <TypedConfirm
      title="Delete this person’s data"
      name={person}
      called="address"
      verb={['Delete', 'Deleting…']}
      facts={isHosted ? [...FACTS, HOSTED] : FACTS}
      send={async (confirm) => {
        const { anonymousId, removed } = await tell('personForget', { person, confirm })
        forgotten()
        const gone = removed.length === 0 ? '' : ` Removed, because no one else received it: ${listed(removed)}.`
        return { done: `Deleted. Where history needs a name, it says ${anonymousId}.${gone}` }
      }}
      cancel={cancel}
    />
  )
}

const FACTS = [
  [
    'Deleted',
    'the account with its sessions and second factors, the role, emails that Septet sent and co-pilot questions. API tokens are revoked, and scheduled reports and alert emails no longer go to this address. This cannot be undone.',
  ],
  [
    'Anonymized',
    'what the person did, in the audit log, actions, alerts and settings. An anonymous ID replaces the address, because others need to know what was done and when.',
  ],
  [
    'Not affected',
    'free text without the address in it, names of API tokens, log files, earlier backups, and messages that were already sent to chat or webhooks.',
  ],
] as const

const HOSTED = [
  'Hosted',
  'The account itself is in the hosted project, and the co-pilot questions are stored under its ID: delete it there, and press Clear in the co-pilot.',
] as const
