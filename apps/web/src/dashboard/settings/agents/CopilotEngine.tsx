import { Panel } from '../../../ui/Panel.tsx'
import type { AgentSettings } from './ToolsetsPanel.tsx'

/** What answers the questions of people, and what a language model gets to read. */
export const CopilotEngine = ({ engine }: { readonly engine: AgentSettings['copilot'] }) => (
  <Panel title="What answers the co-pilot">
    <p className="max-w-3xl text-13 text-ink-soft wrap-anywhere">
      {engine.kind === 'rules'
        ? 'Rules, without a language model: nothing leaves this server. SEPTET_COPILOT_URL connects a model.'
        : `The model ${engine.name} at ${engine.host}. It only reads, with the rights of the person asking, and ${engine.isMasked ? 'names of clusters, namespaces, nodes and pods are hidden from it' : 'it reads names as they are'}. Code checks every sentence; rules answer where it fails.`}
    </p>
  </Panel>
)
