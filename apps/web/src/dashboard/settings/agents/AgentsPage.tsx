import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { CallsPanel } from './CallsPanel.tsx'
import { CopilotEngine } from './CopilotEngine.tsx'
import { ConnectPanel } from './ConnectPanel.tsx'
import { SkillsPanel } from './SkillsPanel.tsx'
import { ToolsetsPanel } from './ToolsetsPanel.tsx'

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
