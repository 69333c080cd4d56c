export { septetMcpServer } from './mcp/mcp-server.ts'
export type { Call, Confirming } from './mcp/mcp-parts.ts'
