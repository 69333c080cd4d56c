import { MCP_PATH, type agentsCalls, type agentsGet, type OutputOf } from '@septet/contract'
import { instant, type SettingStore } from '@septet/domain'
import { ACT_TOOLS, TOOLS } from '@septet/tools'

import type { AgentCall, AgentCalls } from '../../agent-calls.ts'
import { readAgentSettings, writeAgentSettings, type KeptAgentSettings } from '../../agent-settings.ts'
import type { Answering } from '../answering/answering.ts'
import { isoOf } from '../answering/view.ts'

type Needs = {
  readonly settings: SettingStore
  readonly calls: AgentCalls | undefined
  readonly copilot: { readonly name: string; readonly host: string; readonly isMasked: boolean } | undefined
  readonly now: () => number
}

export const agentAnswers = (answer: Answering, { settings, calls, copilot, now }: Needs) => ({
  agentsGet: answer.ofSeptet('agentsGet', async () => settingsView(await readAgentSettings(settings), copilot)),
  agentsPut: answer.ofSeptet('agentsPut', async ({ toolsets }, { caller }) => {
    const kept = await writeAgentSettings(settings, { toolsets, at: now(), by: caller.name })
    calls?.changes.publish({ kind: 'tools_list_changed' })
    return settingsView(kept, copilot)
  }),
  agentsCalls: answer.ofSeptet('agentsCalls', ({ limit }, { caller }) => callsView(calls?.seenBy(caller, limit) ?? [])),
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
