import type { Answer } from '../../api.ts'
import { useAuth } from '../../session/auth-context.ts'
import { Panel } from '../../ui/Panel.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { Answered } from '../panel/Answered.tsx'
import { FactorPanel } from './FactorPanel.tsx'
import { Fact, Facts } from '../panel/Facts.tsx'
import { PasswordPanel } from './PasswordPanel.tsx'
import { limitWords, ROLE_WORDS } from '../words/role-words.ts'
import { SessionPanel } from './SessionPanel.tsx'
import { SignOutPanel } from './SignOutPanel.tsx'

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
    <Facts>
      <Fact name="Email">{me.name}</Fact>
      <Fact name="Role">
        {me.role} <span className="text-ink-soft">({ROLE_WORDS[me.role]})</span>
      </Fact>
      <Fact name="Namespaces">{limitWords(me.namespaces)}</Fact>
      <Fact name="Clusters">{limitWords(me.clusters)}</Fact>
      <Fact name="Account stored in">{provider ?? keeper}</Fact>
    </Facts>
  )
}

/** Who answers for one's account instead of a password; undefined where nobody else does. */
function useProvider(): string | undefined {
  const { signInInfo, user } = useAuth()
  return user?.app_metadata.provider === 'sso' ? signInInfo?.sso?.name : undefined
}
