export type Face = { readonly name: string; readonly text: string; readonly planned?: boolean }

export const MCP = {
  title: 'One list of operations, many faces',
  lead: 'The built-in MCP server is coming. What it will serve exists: each operation is declared once, with its input, its output and who may ask. Every face is made from that list, so no two can disagree.',
  ask: {
    title: 'Ask one now',
    note: 'Sample data is answered without an account while the public demo is on.',
    command: "curl -s 'http://127.0.0.1:7070/api/v1/summary?cluster=sample' | jq .utilization.busy",
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
  },
  list: { title: 'Operations about GPUs', more: { label: 'All operations, with their schemas', href: '/api' } },
} as const

export const FACES: readonly Face[] = [
  { name: 'REST', text: 'one route for each, refusals as problem documents' },
  { name: 'OpenAPI', text: 'at /api/openapi.json, from the same schemas' },
  { name: 'Dashboard', text: 'asks nothing that you cannot ask' },
  { name: 'MCP tools', text: 'the same names, with the same rights', planned: true },
  { name: 'Co-pilot', text: 'questions in sentences', planned: true },
]
