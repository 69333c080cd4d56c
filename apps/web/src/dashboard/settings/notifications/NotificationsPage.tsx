import { Panel } from '../../../ui/Panel.tsx'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { ChannelsPanel } from './ChannelsPanel.tsx'
import { DeliveryLog } from './DeliveryLog.tsx'
import { PrometheusRulePanel } from './PrometheusRulePanel.tsx'
import { RulesPanel } from './RulesPanel.tsx'

/** When Septet alerts, where it tells, and what came of every message. */
export function NotificationsPage() {
  const me = useAnswer('sessionMe', {})
  return (
    <Answered answer={me}>
      {({ role }) => (
        <div className="grid grid-cols-1 gap-4">
          {role === 'admin' ? <ChannelsPanel /> : <OnlyAdmins />}
          <RulesPanel mayChange={role === 'admin'} />
          {role === 'admin' && <DeliveryLog />}
          <PrometheusRulePanel />
        </div>
      )}
    </Answered>
  )
}

const OnlyAdmins = () => (
  <Panel title="Channels">
    <p className="text-13 text-ink-soft">
      Only admins see channels and the delivery log, because webhook addresses are secrets.
    </p>
  </Panel>
)
