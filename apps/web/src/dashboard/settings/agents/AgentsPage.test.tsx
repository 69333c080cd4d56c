import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'

import { shows } from '../../../read-page.fake.ts'
import { at } from '../../figures.fixture.ts'
import { openDashboard } from '../../open-dashboard.fake.tsx'
import type { Answer } from '../../septet.fake.ts'

const AGENTS: Answer<'agentsGet'> = {
  toolsets: ['read'],
  endpoint: '/mcp',
  tools: [{ name: 'fleet_summary', title: 'Fleet', toolset: 'read', description: 'How the fleet does.' }],
  copilot: { kind: 'model', name: 'qwen3:8b', host: 'models.example.com', isMasked: true },
  changedAt: null,
  changedBy: null,
}
const CALLS: Answer<'agentsCalls'> = {
  calls: [
    {
      at: at(0),
      caller: 'token:ci',
      tool: 'fleet_summary',
      outcome: 'refused',
      because: 'The token ended.',
      milliseconds: 12.4,
    },
  ],
}

test('Settings → Agents gives a configuration to copy, with what is offered and what was called', async () => {
  const { septet, user } = await openDashboard('/dashboard/settings/agents', {
    answers: {
      sessionMe: () => ADMIN,
      agentsGet: () => AGENTS,
      agentsPut: ({ toolsets }) => ({ ...AGENTS, toolsets }),
      agentsCalls: () => CALLS,
    },
  })
  await user.click(await screen.findByRole('radio', { name: 'Cursor' }))
  expect(screen.getByRole('link', { name: 'Add to Cursor' }).getAttribute('href')).toMatch(/^cursor:/u)
  await user.click(screen.getByRole('button', { name: 'Copy the configuration' }))
  await screen.findByText('Copied')
  expect(JSON.parse(await navigator.clipboard.readText())).toMatchObject({
    mcpServers: { septet: { url: `${location.origin}/mcp` } },
  })
  await shows('The model qwen3:8b at models.example.com.')
  within(screen.getByRole('row', { name: /token:ci/u })).getByText(/The token ended\./u)
  await user.click(screen.getByRole('checkbox', { name: 'Plan' }))
  expect(septet.told.map(({ input }) => input)).toEqual([{ toolsets: ['read', 'plan'] }])
})

const ADMIN: Answer<'sessionMe'> = {
  kind: 'account',
  name: 'operator@example.com',
  role: 'admin',
  namespaces: null,
  clusters: null,
  mode: 'embedded',
  session: 'one',
  secondFactor: false,
  expiresAt: null,
}
