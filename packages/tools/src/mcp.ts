export { septetMcpServer } from './mcp/mcp-server.ts'
export type { Call, Confirming, McpParts } from './mcp/mcp-parts.ts'
