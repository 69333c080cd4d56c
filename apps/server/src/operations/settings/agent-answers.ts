import { MCP_PATH, type agentsCalls, type agentsGet, type OutputOf } from '@septet/contract'
import { instant, type Store } from '@septet/domain'
import { ACT_TOOLS, TOOLS } from '@septet/tools'

import type { AgentCall, AgentCalls } from '../../agent-calls.ts'
import { readAgentSettings, writeAgentSettings, type KeptAgentSettings } from '../../agent-settings.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { isoOf } from '../answering/view.ts'

type Needs = {
  readonly store: Pick<Store, 'settings'>
  readonly agentCalls?: AgentCalls | undefined
  readonly copilot?: { readonly name: string; readonly host: string; readonly isMasked: boolean } | undefined
  readonly now: () => number
}

/** What programs are offered, and what they asked. */
export const agentAnswers = ({ store: { settings }, agentCalls: calls, copilot, now }: Needs): AnswersOf<'agents'> => ({
  agentsGet: async () => settingsView(await readAgentSettings(settings), copilot),
  async agentsPut({ toolsets }, { caller }) {
    const kept = await writeAgentSettings(settings, { toolsets, at: now(), by: caller.name })
    calls?.offeredAnew()
    return settingsView(kept, copilot)
  },
  agentsCalls: async ({ limit }, { caller }) => callsView((await calls?.seenBy(caller, limit)) ?? []),
})

const settingsView = (
  { toolsets, changedAt, changedBy }: KeptAgentSettings,
  copilot: Needs['copilot'],
): OutputOf<typeof agentsGet> => ({
  toolsets: [...toolsets],
  endpoint: MCP_PATH,
  tools: [...TOOLS, ...ACT_TOOLS].map(({ name, title, toolset, description }) => ({
    name,
    title,
    toolset,
    description,
  })),
  copilot:
    copilot === undefined
      ? { kind: 'rules' }
      : { kind: 'model', name: copilot.name, host: copilot.host, isMasked: copilot.isMasked },
  changedAt: changedAt === undefined ? null : isoOf(instant(changedAt)),
  changedBy: changedBy ?? null,
})

const callsView = (calls: readonly AgentCall[]): OutputOf<typeof agentsCalls> => ({
  calls: calls.map(({ at, caller, tool, outcome, because, milliseconds }) => ({
    at: isoOf(instant(at)),
    caller: caller.name,
    tool,
    outcome,
    because: because ?? null,
    milliseconds,
  })),
})
