import type { Factor } from '@supabase/supabase-js'
import { useState } from 'react'

import { useAuth } from '../../session/auth-context.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { dayTime } from '../../ui/time-words.ts'
import { EnrolFactor } from './EnrolFactor.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import { useSending } from '../client/use-sending.ts'

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
