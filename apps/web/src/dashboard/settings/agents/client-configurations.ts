/** A program that speaks MCP, and where its configuration goes. */
export type McpClient = {
  readonly id: string
  readonly name: string
  /** Where the text goes: a file, or a terminal. */
  readonly where: string
  readonly textOf: (connection: Connection) => string
  /** Opens the client, which adds Septet once its person agrees. */
  readonly linkOf?: (connection: Connection) => string
}

type Connection = {
  /** The whole address of the MCP server. */
  readonly address: string
  /** Of the Septet behind it. */
  readonly server: string
  readonly token: string
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2)
const bearer = (token: string): { readonly Authorization: string } => ({ Authorization: `Bearer ${token}` })

const VS_CODE_ASKS = [{ type: 'promptString', id: 'septet-token', description: 'API token of Septet', password: true }]
// oxlint-disable-next-line no-template-curly-in-string -- VS Code fills it in, not we
const vsCodeServer = (url: string) => ({ type: 'http', url, headers: bearer('${input:septet-token}') })

export const FIRST_CLIENT: McpClient = {
  id: 'claude-code',
  name: 'Claude Code',
  where: 'Run it in a terminal, in the project that should have Septet.',
  textOf: ({ address, token }) =>
    `claude mcp add --transport http septet ${address} \\\n  --header "Authorization: Bearer ${token}"`,
}

/** The common clients; the last one fits what is not on the list. */
export const MCP_CLIENTS: readonly McpClient[] = [
  FIRST_CLIENT,
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    where:
      'claude_desktop_config.json (Settings → Developer → Edit config). It starts septet mcp, so the septet command must be on this computer.',
    textOf: ({ server, token }) =>
      json({
        mcpServers: {
          septet: { command: 'septet', args: ['mcp', '--server', server], env: { SEPTET_TOKEN: token } },
        },
      }),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    where: '.cursor/mcp.json in the project, or ~/.cursor/mcp.json for all of them.',
    textOf: ({ address, token }) => json({ mcpServers: { septet: { url: address, headers: bearer(token) } } }),
    linkOf: ({ address, token }) => {
      const config = btoa(JSON.stringify({ url: address, headers: bearer(token) }))
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=septet&config=${encodeURIComponent(config)}`
    },
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    where: '.vscode/mcp.json in the workspace. VS Code asks for the token and keeps it.',
    textOf: ({ address }) => json({ inputs: VS_CODE_ASKS, servers: { septet: vsCodeServer(address) } }),
    linkOf: ({ address }) => {
      const server = { name: 'septet', inputs: VS_CODE_ASKS, ...vsCodeServer(address) }
      return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(server))}`
    },
  },
  {
    id: 'codex-cli',
    name: 'Codex CLI',
    where: '~/.codex/config.toml. It reads the token from the environment: export SEPTET_TOKEN before you start it.',
    textOf: ({ address }) =>
      `[mcp_servers.septet]\nurl = ${JSON.stringify(address)}\nbearer_token_env_var = "SEPTET_TOKEN"`,
  },
  {
    id: 'other',
    name: 'Other',
    where: 'Any client that speaks Streamable HTTP; the names of the fields may differ.',
    textOf: ({ address, token }) =>
      json({ mcpServers: { septet: { type: 'http', url: address, headers: bearer(token) } } }),
  },
]

/** Stands where the secret goes until a token is made. */
export const NO_TOKEN = 'YOUR_SEPTET_TOKEN'
