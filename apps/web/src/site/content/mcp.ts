export type Face = { readonly name: string; readonly text: string }

export const MCP = {
  title: 'One list of operations, many faces',
  lead: 'The built-in MCP server lets agents ask what you can ask, with the rights of their token and no others. Each operation is declared once, with its input, its output and who may ask; every face is made from that list, so no two can disagree.',
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
  { name: 'MCP tools', text: 'at /mcp and by septet mcp: asking is on, acting is off until an admin turns it on' },
  { name: 'Co-pilot', text: 'questions in sentences, without a model key' },
]
