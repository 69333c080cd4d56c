import type { Answer } from '../../../api.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useCommand } from '../../client/use-command.ts'
import { Problem } from '../../form/Problem.tsx'
import { mayAs } from '../../words/role-words.ts'

export type AgentSettings = Answer<'agentsGet'>
type Toolset = AgentSettings['toolsets'][number]

type Props = { readonly view: AgentSettings; readonly changed: () => void }

/** Which tools programs are offered: a switch for each set, with what it means and what is in it. */
export function ToolsetsPanel({ view, changed }: Props) {
  const role = useAnswer('sessionMe', {}).data?.role
  const isAdmin = role !== undefined && mayAs(role, 'admin')
  const { busy, problem, send } = useCommand('agentsPut', {
    after: changed,
    done: ({ toolsets }) => (toolsets.length === 0 ? 'The MCP server is off.' : `Offered now: ${toolsets.join(', ')}.`),
  })
  const turn = (toolset: Toolset, on: boolean): void =>
    send({ toolsets: on ? [...view.toolsets, toolset] : view.toolsets.filter((each) => each !== toolset) })
  return (
    <Panel title="What agents may use" aside={<LastChange view={view} />}>
      <p className="mb-3 max-w-3xl text-13 text-ink-soft">
        Agents connect over MCP and never get more than the role of their token.
        {view.toolsets.length === 0 && ' Everything is off: the MCP server answers no one.'}
      </p>
      <ul className="divide-y divide-line border-y border-line">
        {TOOLSETS.map((toolset) => (
          <ToolsetRow
            key={toolset}
            toolset={toolset}
            isOn={view.toolsets.includes(toolset)}
            isLocked={!isAdmin || busy}
            tools={view.tools.filter((tool) => tool.toolset === toolset)}
            turn={(on) => turn(toolset, on)}
          />
        ))}
      </ul>
      {role !== undefined && !isAdmin && (
        <p className="mt-3 text-13 text-ink-soft">Only admins can change this; you are {role}.</p>
      )}
      <Problem words={problem} className="mt-3" />
    </Panel>
  )
}

const TOOLSETS = ['read', 'plan', 'act'] as const satisfies readonly Toolset[]

const MEANING = {
  read: { name: 'Read', words: 'Ask about utilization, cost, waste, waiting work and savings. Nothing changes.' },
  plan: { name: 'Plan', words: 'Draft plans and see what they would do. Nothing changes.' },
  act: {
    name: 'Act',
    words:
      'Propose and approve changes to clusters. Requires an operator token; a person approves each change in their client.',
  },
} as const satisfies Record<Toolset, { name: string; words: string }>

type RowProps = {
  readonly toolset: Toolset
  readonly isOn: boolean
  readonly isLocked: boolean
  readonly tools: AgentSettings['tools']
  readonly turn: (on: boolean) => void
}

const ToolsetRow = ({ toolset, isOn, isLocked, tools, turn }: RowProps) => (
  <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-3">
    <input
      id={`toolset-${toolset}`}
      type="checkbox"
      checked={isOn}
      disabled={isLocked}
      aria-describedby={`toolset-${toolset}-words`}
      onChange={({ target }) => turn(target.checked)}
      className="mt-0.5 size-4.5 accent-(--accent)"
    />
    <div className="grid min-w-0 gap-1">
      <label htmlFor={`toolset-${toolset}`} className="text-14 font-medium">
        {MEANING[toolset].name}
      </label>
      <p id={`toolset-${toolset}-words`} className="max-w-3xl text-13 text-ink-soft">
        {MEANING[toolset].words}
      </p>
      <details>
        <summary className="min-h-6 cursor-pointer rounded-control text-13 text-accent-ink">
          {tools.length} {tools.length === 1 ? 'tool' : 'tools'}
        </summary>
        <ul className="mt-2 grid gap-x-6 gap-y-2.5 xl:grid-cols-2">
          {tools.map(({ name, title, description }) => (
            <li key={name} className="min-w-0 text-13">
              <span className="font-mono text-12">{name}</span> <span className="text-ink-quiet">{title}</span>
              <p className="text-ink-soft wrap-anywhere">{description}</p>
            </li>
          ))}
        </ul>
      </details>
    </div>
  </li>
)

const LastChange = ({ view: { changedAt, changedBy } }: { readonly view: AgentSettings }) => (
  <span className="text-12 text-ink-quiet wrap-anywhere">
    {changedAt === null ? 'Defaults' : `Changed ${dayTime(changedAt)}${changedBy === null ? '' : ` by ${changedBy}`}`}
  </span>
)
