import { useState } from 'react'

import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Segmented } from '../../form/Segmented.tsx'
import { TokenForm } from '../TokenForm.tsx'
import { TokenSecret, type MadeToken } from '../ShownOnce.tsx'
import { FIRST_CLIENT, MCP_CLIENTS, NO_TOKEN } from './client-configurations.ts'
import type { AgentSettings } from './ToolsetsPanel.tsx'

/** The address, and what to paste into a client; a token that is made here stands in it. */
export function ConnectPanel({ view }: { readonly view: AgentSettings }) {
  const [id, setId] = useState(FIRST_CLIENT.id)
  const [made, setMade] = useState<MadeToken>()
  const address = new URL(view.endpoint, location.origin).href
  const client = MCP_CLIENTS.find((each) => each.id === id) ?? FIRST_CLIENT
  const text = client.textOf({ address, server: location.origin, token: made?.secret ?? NO_TOKEN })
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
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where it is wider than the window
            tabIndex={0}
            aria-label={`Configuration for ${client.name}`}
            className="overflow-x-auto rounded-control bg-sunken px-3 py-2.5 font-mono text-12"
          >
            {text}
          </pre>
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
