import { describe, expect, test } from 'vitest'

import { MCP_CLIENTS } from './client-configurations.ts'

const CONNECTION = { address: 'https://gpu.example/mcp', server: 'https://gpu.example', token: 'spt_secret' }
const textOf = (id: string): string => MCP_CLIENTS.find((client) => client.id === id)?.textOf(CONNECTION) ?? ''
const parsed = (id: string): unknown => JSON.parse(textOf(id))
const link = (id: string): URL => new URL(MCP_CLIENTS.find((each) => each.id === id)?.linkOf?.(CONNECTION) ?? '')
const headers = { Authorization: 'Bearer spt_secret' }

describe('the configuration of', () => {
  test('Claude Code is a command', () =>
    expect(textOf('claude-code')).toBe(
      'claude mcp add --transport http septet https://gpu.example/mcp \\\n  --header "Authorization: Bearer spt_secret"',
    ))

  test('Claude Desktop starts septet mcp, with the token in its environment', () =>
    expect(parsed('claude-desktop')).toEqual({
      mcpServers: {
        septet: {
          command: 'septet',
          args: ['mcp', '--server', 'https://gpu.example'],
          env: { SEPTET_TOKEN: 'spt_secret' },
        },
      },
    }))

  test('Cursor and others names address and token', () => {
    expect(parsed('cursor')).toEqual({ mcpServers: { septet: { url: 'https://gpu.example/mcp', headers } } })
    expect(parsed('other')).toEqual({
      mcpServers: { septet: { type: 'http', url: 'https://gpu.example/mcp', headers } },
    })
  })

  test('Cursor and VS Code is a link, too, which holds the token only where the client does not ask for it', () => {
    const cursor = link('cursor')
    expect(cursor.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=septet&config=/u)
    expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual({
      url: 'https://gpu.example/mcp',
      headers,
    })
    const code = link('vs-code')
    expect(code.href).toMatch(/^vscode:mcp\/install\?/u)
    const server: unknown = JSON.parse(decodeURIComponent(code.search.slice(1)))
    const { inputs } = parsed('vs-code') as { inputs: unknown }
    expect(server).toMatchObject({ name: 'septet', type: 'http', url: 'https://gpu.example/mcp', inputs })
    expect(code.href).not.toContain('spt_secret')
  })

  test('VS Code and Codex CLI, which get the token elsewhere, does not hold it', () => {
    expect(parsed('vs-code')).toMatchObject({ servers: { septet: { type: 'http', url: 'https://gpu.example/mcp' } } })
    expect(textOf('codex-cli')).toBe(
      '[mcp_servers.septet]\nurl = "https://gpu.example/mcp"\nbearer_token_env_var = "SEPTET_TOKEN"',
    )
    for (const id of ['vs-code', 'codex-cli']) expect(textOf(id)).not.toContain('spt_secret')
  })
})
