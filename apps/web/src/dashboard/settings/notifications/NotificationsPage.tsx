import { CodeBox } from '../../../ui/CodeBox.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { ChannelsPanel } from './ChannelsPanel.tsx'
import { DeliveryLog } from './DeliveryLog.tsx'
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

/** The same rules for a Prometheus of one's own. */
function PrometheusRulePanel() {
  const answer = useAnswer('alertsPrometheusRule', {})
  return (
    <Panel
      title="As PrometheusRule"
      aside={answer.data === undefined ? undefined : <CopyButton label="Copy YAML" text={() => answer.data.yaml} />}
    >
      <p className="mb-3 max-w-2xl text-13 text-ink-soft">
        The rules that are on, over what dcgm-exporter and kube-state-metrics export, and over Septet’s own{' '}
        <code className="font-mono">/metrics</code> where a figure exists only here. Scopes are not part of it.
      </p>
      <Answered answer={answer}>
        {({ yaml }) => <CodeBox label="PrometheusRule as YAML" text={yaml} className="max-h-96" />}
      </Answered>
    </Panel>
  )
}
