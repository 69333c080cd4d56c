import { CopyButton } from '../../../ui/CopyButton.tsx'
import { DocLink } from '../../../ui/DocLink.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { CallsPanel } from './CallsPanel.tsx'
import { ConnectPanel } from './ConnectPanel.tsx'
import { type AgentSettings, ToolsetsPanel } from './ToolsetsPanel.tsx'
import { skillPath, SKILLS } from './skills.ts'

/** What programs may ask over MCP, how they are connected, what they should know, and what they asked. */
export function AgentsPage() {
  const answer = useAnswer('agentsGet', {})
  return (
    <div className="grid gap-4">
      <Answered answer={answer}>
        {(view) => (
          <>
            <ToolsetsPanel view={view} changed={() => void answer.refetch()} />
            <ConnectPanel view={view} />
            <CopilotEngine engine={view.copilot} />
          </>
        )}
      </Answered>
      <SkillsPanel />
      <CallsPanel />
    </div>
  )
}

/** What answers the questions of people, and what a language model gets to read. */
const CopilotEngine = ({ engine }: { readonly engine: AgentSettings['copilot'] }) => (
  <Panel title="What answers the co-pilot">
    <p className="max-w-3xl text-13 text-ink-soft wrap-anywhere">
      {engine.kind === 'rules'
        ? 'No language model: it answers only its fixed questions, and nothing leaves this server. SEPTET_COPILOT_URL connects a model.'
        : `The model ${engine.name} at ${engine.host}. ${engine.isMasked ? 'The names of clusters, namespaces, nodes and pods are hidden from it.' : 'It sees the names of clusters, namespaces, nodes and pods.'} Code checks every sentence it writes.`}{' '}
      <DocLink to="using-the-dashboard#with-a-language-model" about="the co-pilot with a language model" />
    </p>
  </Panel>
)

/** What a coding agent is taught, as files that it takes over. */
const SkillsPanel = () => (
  <Panel title="Skills for coding agents">
    <p className="mb-3 max-w-3xl text-13 text-ink-soft">
      Each is a Markdown file that teaches an agent one job with Septet’s tools. Save it as NAME/SKILL.md where your
      agent looks for skills.
    </p>
    <ul className="divide-y divide-line border-t border-line">
      {SKILLS.map(({ name, title, words }) => (
        <li
          key={name}
          className="grid gap-x-6 gap-y-1 py-2.5 text-13 sm:grid-cols-[9rem_minmax(0,1fr)_auto] sm:items-baseline"
        >
          <a
            href={skillPath(name)}
            className="justify-self-start rounded-control text-accent-ink underline underline-offset-2"
          >
            {title}
          </a>
          <span className="text-ink-soft">{words}</span>
          <span className="-ml-1.5 sm:ml-0">
            <CopyButton label="Copy address" text={() => new URL(skillPath(name), location.origin).href} />
          </span>
        </li>
      ))}
    </ul>
  </Panel>
)
