import { useState } from 'react'

import type { Answer } from '../../../api.ts'
import { CodeBox } from '../../../ui/CodeBox.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { DocLink } from '../../../ui/DocLink.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useCommand } from '../../client/use-command.ts'
import { ProblemBox } from '../../form/Problem.tsx'
import { Segmented } from '../../form/Segmented.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { mayAs } from '../../words/role-words.ts'
import { type MadeToken, TokenSecret } from '../ShownOnce.tsx'
import { TokenForm } from '../TokenForm.tsx'
import { CallsPanel } from './CallsPanel.tsx'
import { FIRST_CLIENT, MCP_CLIENTS, NO_TOKEN } from './client-configurations.ts'

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

type AgentSettings = Answer<'agentsGet'>
type Toolset = AgentSettings['toolsets'][number]

type Props = { readonly view: AgentSettings; readonly changed: () => void }

/** Which tools programs are offered: a switch for each set, with what it means and what is in it. */
function ToolsetsPanel({ view, changed }: Props) {
  const role = useAnswer('sessionMe', {}).data?.role
  const isAdmin = mayAs(role, 'admin')
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
      <ProblemBox words={problem} className="mt-3" />
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
      'Propose and approve changes to clusters. Requires an operator token; a person approves each change, in the client or in the dashboard.',
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

/** The address, and what to paste into a client; a token that is made here stands in it. */
function ConnectPanel({ view }: { readonly view: AgentSettings }) {
  const [id, setId] = useState(FIRST_CLIENT.id)
  const [made, setMade] = useState<MadeToken>()
  const address = new URL(view.endpoint, location.origin).href
  const client = MCP_CLIENTS.find((each) => each.id === id) ?? FIRST_CLIENT
  const connection = { address, server: location.origin, token: made?.secret ?? NO_TOKEN }
  const text = client.textOf(connection)
  return (
    <Panel title="Connect an agent">
      <div className="grid max-w-3xl gap-4">
        <p className="flex flex-wrap items-center gap-2 text-13">
          <span className="text-ink-soft">Address of the MCP server</span>
          <code className="rounded-control bg-sunken px-2 py-1 font-mono text-12 wrap-anywhere">{address}</code>
          <CopyButton label="Copy the address" text={() => address} />
        </p>
        <Segmented
          label="Client"
          value={id}
          options={MCP_CLIENTS.map((each) => ({ value: each.id, label: each.name }))}
          onChange={setId}
        />
        <figure className="grid min-w-0 gap-1.5">
          <figcaption className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 text-13 text-ink-soft">
            <span className="min-w-0 flex-1 basis-64 wrap-anywhere">{client.where}</span>
            <CopyButton label="Copy the configuration" text={() => text} />
          </figcaption>
          <CodeBox label={`Configuration for ${client.name}`} text={text} />
          {client.linkOf !== undefined && (
            <a
              href={client.linkOf(connection)}
              className="justify-self-start rounded-control text-13 text-accent-ink underline underline-offset-2"
            >
              Add to {client.name}
            </a>
          )}
        </figure>
        {made === undefined ? (
          <details>
            <summary className="min-h-6 cursor-pointer rounded-control text-13 text-accent-ink">
              Create a token for it
            </summary>
            <p className="mt-2 mb-3 text-13 text-ink-soft">
              The token decides what the agent may do. A viewer only looks
              {view.toolsets.includes('act') ? '; an operator may also act, once a person said yes.' : '.'}
            </p>
            <TokenForm made={setMade} name={client.id} role={view.toolsets.includes('act') ? 'operator' : 'viewer'} />
          </details>
        ) : (
          <TokenSecret key={made.secret} made={made} close={() => setMade(undefined)} />
        )}
      </div>
    </Panel>
  )
}

/** Instructions for coding agents, served as `/skills/NAME/SKILL.md`; skills.test.ts holds them to what they must say. */
export const SKILLS = [
  {
    name: 'gpu-idle-audit',
    title: 'Idle audit',
    words: 'Finds GPUs that are held and not used, with owners, cost and evidence.',
  },
  {
    name: 'gpu-pending-triage',
    title: 'Pending triage',
    words: 'Says why a GPU workload waits and which steps would let it run.',
  },
  {
    name: 'gpu-plan-review',
    title: 'Plan review',
    words: 'Reads a plan before a person approves it: what it gains, what it disrupts, and its rollback.',
  },
] as const

export const skillPath = (name: string): string => `/skills/${name}/SKILL.md`
