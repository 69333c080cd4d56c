import { useState } from 'react'

import { tell, type Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useSending } from '../../client/use-sending.ts'
import { Problem } from '../../form/Problem.tsx'
import { Fact, Facts } from '../../panel/Facts.tsx'
import { AgentToken } from './AgentToken.tsx'

type Connection = Answer<'connectionsList'>['connections'][number]
type Props = {
  readonly connection: Connection
  readonly agent: NonNullable<Connection['agent']>
  readonly changed: () => void
}

/** The agent that reads a cluster from inside: where it runs, how far it has read, and another token for it. */
export function AgentPart({ connection: { id, name }, agent, changed }: Props) {
  const [token, setToken] = useState<string>()
  const { busy, problem, run } = useSending()
  const rotate = (): Promise<void> =>
    run(async () => {
      const { agentToken } = await tell('connectionsRotate', { id })
      setToken(agentToken)
      changed()
      return { done: `The old token no longer works. Start the agent of ${name} with the new one.` }
    })
  return (
    <section aria-label="Agent" className="grid gap-2">
      <h3 className="text-13 font-semibold">Agent</h3>
      <p className="text-13 text-ink-soft">
        An agent inside this cluster sends its readings here. It only reads: Septet recommends changes but cannot make
        them.
      </p>
      <Facts>
        <Fact name="Runs on">{agent.host ?? 'has not reported yet'}</Fact>
        {agent.version !== null && <Fact name="Version">{agent.version}</Fact>}
        {agent.since !== null && <Fact name="Since">{dayTime(agent.since)}</Fact>}
        {agent.seenAt !== null && <Fact name="Last reported">{dayTime(agent.seenAt)}</Fact>}
        {agent.readTo !== null && <Fact name="Read up to">{dayTime(agent.readTo)}</Fact>}
      </Facts>
      {token === undefined ? (
        <div>
          <Button
            aria-disabled={busy}
            onClick={() => {
              if (!busy) void rotate()
            }}
          >
            Replace the token
          </Button>
        </div>
      ) : (
        <AgentToken made={{ cluster: name, token }} close={() => setToken(undefined)} />
      )}
      <Problem words={problem} />
    </section>
  )
}
