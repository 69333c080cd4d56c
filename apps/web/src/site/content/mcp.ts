import { MCP_PATH } from '@septet/contract/routes'

export type Face = { readonly name: string; readonly text: string }

export const MCP = {
  title: 'API and MCP',
  lead: 'Script it, or hand your agent the built-in MCP server. Same operations, same permissions.',
  client: {
    title: 'Connect an agent',
    note: 'A viewer token is enough to ask.',
    config: [
      '{ "mcpServers": { "septet": {',
      '  "type": "http",',
      `  "url": "https://septet.example.com${MCP_PATH}",`,
      '  "headers": { "Authorization": "Bearer spt_…" }',
      '} } }',
    ].join('\n'),
    more: { label: 'Tools, limits, and safety', href: '/docs/agents' },
  },
  ask: {
    title: 'Call the API',
    note: 'Sample data needs no account.',
    command: "curl -s 'http://127.0.0.1:7070/api/v1/summary?cluster=sample' | jq .utilization.busy",
    fold: 'The response',
    answer: [
      '{',
      '  "value": 0.873,',
      '  "unit": "ratio",',
      '  "quality": "sample",',
      '  "because": null,',
      '  "coverage": null,',
      '  "explain": {',
      '    "formula": "a fixed sample figure",',
      '    "window": null,',
      '    "source": "sample data"',
      '  }',
      '}',
    ].join('\n'),
    more: { label: 'Every operation', href: '/api' },
  },
} as const

export const FACES: readonly Face[] = [
  { name: 'REST', text: 'OpenAPI at /api/openapi.json' },
  { name: 'MCP', text: 'reads by default; an admin enables the rest' },
  { name: 'CLI', text: 'septet, or kubectl septet' },
  { name: 'Co-pilot', text: 'fixed questions, or any with a language model' },
  { name: 'Skills', text: 'ready-made agent playbooks' },
]
