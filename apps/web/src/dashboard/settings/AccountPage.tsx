import type { UseQueryResult } from '@tanstack/react-query'

import type { Answer } from '../../api.ts'
import { useAuth } from '../../session/auth-context.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { useAnswer } from '../client/use-answer.ts'
import { useCommand } from '../client/use-command.ts'
import { useSending } from '../client/use-sending.ts'
import { ProblemBox } from '../form/Problem.tsx'
import { Answered } from '../panel/Answered.tsx'
import { Fact, FactList } from '../panel/Facts.tsx'
import { limitWords, ROLE_WORDS } from '../words/role-words.ts'
import { FactorPanel } from './FactorPanel.tsx'
import { PasswordPanel } from './PasswordPanel.tsx'

/** One's own account: who one is here, the password, the second factor, and where one is signed in. */
export function AccountPage() {
  const me = useAnswer('sessionMe', {})
  const sessions = useAnswer('sessionsList', {})
  const hosted = useAuth().signInInfo?.mode === 'hosted'
  const provider = useProvider()
  return (
    <div className="grid gap-4">
      <Panel title="You">
        <Answered answer={me}>{(data) => <Me me={data} />}</Answered>
      </Panel>
      {provider === undefined && <PasswordPanel />}
      <FactorPanel />
      {!hosted && <SessionPanel sessions={sessions} />}
      <SignOutPanel ended={() => void sessions.refetch()} />
    </div>
  )
}

function Me({ me }: { readonly me: Answer<'sessionMe'> }) {
  const { signInInfo } = useAuth()
  const provider = useProvider()
  const keeper = signInInfo?.mode === 'hosted' ? new URL(signInInfo.url).host : 'this Septet'
  return (
    <FactList>
      <Fact name="Email">{me.name}</Fact>
      <Fact name="Role">
        {me.role} <span className="text-ink-soft">({ROLE_WORDS[me.role]})</span>
      </Fact>
      <Fact name="Namespaces">{limitWords(me.namespaces)}</Fact>
      <Fact name="Clusters">{limitWords(me.clusters)}</Fact>
      <Fact name="Account stored in">{provider ?? keeper}</Fact>
    </FactList>
  )
}

/** Who answers for one's account instead of a password; undefined where nobody else does. */
function useProvider(): string | undefined {
  const { signInInfo, user } = useAuth()
  return user?.app_metadata.provider === 'sso' ? signInInfo?.sso?.name : undefined
}

/** Out of this device, out of the others, or out of all. */
function SignOutPanel({ ended }: { readonly ended: () => void }) {
  const { signOut } = useAuth()
  const { busy, problem, run } = useSending()
  const leave = (scope: 'local' | 'others' | 'global'): Promise<void> =>
    run(async () => {
      const refused = await signOut(scope)
      if (refused !== undefined) return { problem: refused }
      ended()
      return scope === 'others' ? { done: 'All other devices were signed out.' } : undefined
    })
  return (
    <Panel title="Sign out">
      <div className="flex flex-wrap gap-2">
        <Button className="min-h-8" disabled={busy} onClick={() => void leave('local')}>
          This device
        </Button>
        <Button className="min-h-8" disabled={busy} onClick={() => void leave('others')}>
          Every other device
        </Button>
        <Button className="min-h-8" disabled={busy} onClick={() => void leave('global')}>
          Everywhere
        </Button>
      </div>
      <ProblemBox words={problem} className="mt-3" />
    </Panel>
  )
}

type Sessions = UseQueryResult<Answer<'sessionsList'>>
type Session = Answer<'sessionsList'>['sessions'][number]

/** Where one is signed in, and the end of each. */
function SessionPanel({ sessions }: { readonly sessions: Sessions }) {
  const { busy, problem, send } = useCommand('sessionsRevoke', {
    after: () => sessions.refetch(),
    done: ({ id }) =>
      `Signed out ${deviceWords(sessions.data?.sessions.find((each) => each.id === id)?.userAgent ?? '')}.`,
  })
  return (
    <Panel title="Sessions">
      <Answered answer={sessions}>
        {(data) => (
          <ul className="grid divide-y divide-line border-t border-line">
            {data.sessions.map((session) => (
              <SessionRow key={session.id} session={session} busy={busy} revoke={() => send({ id: session.id })} />
            ))}
          </ul>
        )}
      </Answered>
      <ProblemBox words={problem} className="mt-3" />
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

/** "Firefox on macOS": enough to recognize one's own device by. What is not known is shown as it was sent. */
export function deviceWords(userAgent: string): string {
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  return userAgent === '' ? 'An unknown program' : userAgent.slice(0, 80)
}

/** The first that matches: most browsers also name those that they resemble. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const
