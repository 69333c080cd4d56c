import { CopyButton } from '../../../ui/CopyButton.tsx'
import { ShownOnce } from '../ShownOnce.tsx'

export type MadeAgentToken = { readonly cluster: string; readonly token: string }

/** The token of a cluster's agent, once, with what starts the agent. */
export function AgentTokenPart({ made, close }: { readonly made: MadeAgentToken; readonly close: () => void }) {
  const { secret, helm, shell } = agentCommands(made.token, window.location.origin)
  return (
    <ShownOnce label={`The agent of ${made.cluster}`} close={close}>
      <p>
        <span className="font-medium">Start the agent in {made.cluster}.</span> Copy the token now. It is shown only
        once, and it is valid only for this cluster’s readings.
      </p>
      <Command label="With Helm: create the token Secret" text={secret} />
      <Command label="Then install the agent" text={helm} />
      <Command label="Or run it yourself on a machine that can reach the cluster" text={shell} />
    </ShownOnce>
  )
}

const Command = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div className="grid gap-1">
    <div className="flex items-center justify-between gap-2">
      <span className="text-12 text-ink-soft">{label}</span>
      <CopyButton label="Copy" text={() => text} />
    </div>
    <pre
      className="rounded-control bg-surface px-2.5 py-1.5 font-mono text-12 wrap-anywhere whitespace-pre-wrap"
      aria-label={label}
    >
      {text}
    </pre>
  </div>
)

/** What starts the agent of a cluster with its token, so that it sends to this Septet. */
const agentCommands = (token: string, server: string) => ({
  secret: `kubectl create namespace septet
kubectl create secret generic septet-agent --namespace septet --from-literal=token=${token}`,
  helm: `helm install septet deploy --namespace septet \\
  --set image=IMAGE --set agent.server=${server} \\
  --set metrics.prometheusUrl=http://prometheus.monitoring:9090`,
  shell: `SEPTET_AGENT_TOKEN=${token} septet agent --server ${server} \\
  --kubeconfig FILE --prometheus URL`,
})
