import { createMcpHandler, type McpServer, type ServerEventBus } from '@modelcontextprotocol/server'
import type { McpParts } from '@septet/tools/mcp'

/** Answers one request of one caller. */
export type ServeMcp = (parts: McpParts) => (request: Request) => Promise<Response>

type Serving = {
  /** What one caller is offered. */
  readonly serverFor: (parts: McpParts) => McpServer
  /** What subscriptions are told of. */
  readonly changes: ServerEventBus
  readonly onError: (error: Error) => void
}

/** Stateless: a server is made for each request, in the revision that the request speaks. */
export const serveMcp =
  ({ serverFor, changes, onError }: Serving): ServeMcp =>
  (parts) =>
    createMcpHandler(() => serverFor(parts), { bus: changes, onerror: onError }).fetch
