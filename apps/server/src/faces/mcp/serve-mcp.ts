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

/**
 * Stateless: a server is made for each request, in the revision that the request speaks. What a client did wrong is in its
 * answer, of a status below 500, and what fails because it has gone reaches nobody: neither is an error of ours.
 */
export const serveMcp =
  ({ serverFor, changes, onError }: Serving): ServeMcp =>
  (parts) =>
  async (request) => {
    const before: Error[] = []
    let report = (error: Error): void => void before.push(error)
    const handler = createMcpHandler(() => serverFor(parts), { bus: changes, onerror: (error) => report(error) })
    const response = await handler.fetch(request)
    const isTold = response.status >= 400 && response.status < 500
    report = (error) => {
      if (!isTold && !parts.connected.aborted) onError(error)
    }
    before.forEach(report)
    return response
  }
