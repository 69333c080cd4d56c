import { MCP_PATH, ROUTES, type Route } from '@septet/contract/routes'

import { READING_ORDER } from './docs/contents.ts'

const OPERATIONS = Object.values<Route>(ROUTES).length

/** What Septet is and where what is written, for language models that read a site; see llmstxt.org. */
export const LLMS_TEXT = `# Septet

> Septet is open source, self-hosted GPU optimization for Kubernetes. It finds idle, stranded, and oversized GPU capacity,
> prices it, plans MIG layouts, right-sizing, and consolidation, and applies what a person approved or put on auto. Savings
> count only once they are measured.

A figure that is not measured is unknown, never 0. Estimated and verified savings are never added together.

## Documentation

${READING_ORDER.map(({ href, title, summary }) => `- [${title}](${href})${summary === '' ? '' : `: ${summary}`}`).join('\n')}

## API

- [Operations](/api): all ${OPERATIONS} with role, effect and reach
- [OpenAPI](/api/openapi.json): the same with schemas

## Agents

- MCP server: POST ${MCP_PATH} (Streamable HTTP), or \`septet mcp --server URL\` on stdio, with an API token
- [Skill: idle audit](/skills/gpu-idle-audit/SKILL.md)
- [Skill: pending triage](/skills/gpu-pending-triage/SKILL.md)
- [Skill: plan review](/skills/gpu-plan-review/SKILL.md)

## Evidence

- [Receipts](/receipts): what was measured, how, and what was not reached
`
