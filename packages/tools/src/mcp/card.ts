import { registerAppResource, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server'
import type { McpServer } from '@modelcontextprotocol/server'

import type { McpParts } from './mcp-parts.ts'

const CARD_URI = 'ui://septet/card.html'

/** It loads nothing and asks nobody: what it draws is handed to it. */
const UI = { csp: { connectDomains: [], resourceDomains: [], frameDomains: [] }, prefersBorder: true }

/** What hosts with MCP Apps show beside an answer: one page, which draws the answers of every tool that has a card. */
export function registerCard(server: McpServer, { card }: Pick<McpParts, 'card'>): void {
  if (card === undefined) return
  const about = {
    title: 'Card',
    description: 'Draws utilization, recommendations and plans inside a chat, for hosts that show MCP Apps.',
    _meta: { ui: UI },
  }
  registerAppResource(server, 'card', CARD_URI, about, async ({ href }) => ({
    contents: [{ uri: href, mimeType: RESOURCE_MIME_TYPE, text: await card(), _meta: { ui: UI } }],
  }))
}

/** What the list of tools says of a tool whose answers the card draws; hosts without MCP Apps ignore it. */
export const cardMeta = (
  hasCard: boolean | undefined,
  { card }: Pick<McpParts, 'card'>,
): { readonly _meta?: Record<string, unknown> } =>
  hasCard === true && card !== undefined ? { _meta: { ui: { resourceUri: CARD_URI } } } : {}
