import type { UseQueryResult } from '@tanstack/react-query'

import { tell, type Answer } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { Answered } from '../panel/Answered.tsx'
import { deviceWords } from './device-words.ts'
import { Problem } from '../form/Problem.tsx'
import { useSending } from '../client/use-sending.ts'

type Sessions = UseQueryResult<Answer<'sessionsList'>>
type Session = Answer<'sessionsList'>['sessions'][number]

/** Where one is signed in, and the end of each. */
export function SessionPanel({ sessions }: { readonly sessions: Sessions }) {
  const { busy, problem, run } = useSending()
  const revoke = (session: Session): Promise<void> =>
    run(async () => {
      await tell('sessionsRevoke', { id: session.id })
      await sessions.refetch()
      return { done: `Signed out ${deviceWords(session.userAgent)}.` }
    })
  return (
    <Panel title="Sessions">
      <Answered answer={sessions}>
        {(data) => (
          <ul className="grid divide-y divide-line border-t border-line">
            {data.sessions.map((session) => (
              <SessionRow key={session.id} session={session} busy={busy} revoke={() => void revoke(session)} />
            ))}
          </ul>
        )}
      </Answered>
      <Problem words={problem} className="mt-3" />
    </Panel>
  )
}

type RowProps = { readonly session: Session; readonly busy: boolean; readonly revoke: () => void }

function SessionRow({ session, busy, revoke }: RowProps) {
  const now = useNow()
  const device = deviceWords(session.userAgent)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 text-13">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{device}</span>
          {session.current && <Badge tone="good">This device</Badge>}
          {session.secondFactor && <Badge tone="secondary">Second factor</Badge>}
        </p>
        <p className="text-12 text-ink-soft">
          <span className="font-mono">{session.ip}</span> · signed in {dayTime(session.createdAt)} · last used{' '}
          {ago(session.refreshedAt, now)}
        </p>
      </div>
      {!session.current && (
        <Button disabled={busy} aria-label={`Sign out ${device}, ${session.ip}`} onClick={revoke}>
          Sign out
        </Button>
      )}
    </li>
  )
}
