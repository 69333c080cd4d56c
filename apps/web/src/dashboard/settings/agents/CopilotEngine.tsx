import { DocLink } from '../../../ui/DocLink.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import type { AgentSettings } from './ToolsetsPanel.tsx'

/** What answers the questions of people, and what a language model gets to read. */
export const CopilotEngine = ({ engine }: { readonly engine: AgentSettings['copilot'] }) => (
  <Panel title="What answers the co-pilot">
    <p className="max-w-3xl text-13 text-ink-soft wrap-anywhere">
      {engine.kind === 'rules'
        ? 'No language model: it answers only its fixed questions, and nothing leaves this server. SEPTET_COPILOT_URL connects a model.'
        : `The model ${engine.name} at ${engine.host}. ${engine.isMasked ? 'The names of clusters, namespaces, nodes and pods are hidden from it.' : 'It sees the names of clusters, namespaces, nodes and pods.'} Code checks every sentence it writes.`}{' '}
      <DocLink to="using-the-dashboard#with-a-language-model" about="the co-pilot with a language model" />
    </p>
  </Panel>
)
