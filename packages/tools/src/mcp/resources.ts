import { ResourceTemplate, type McpServer, type ReadResourceResult } from '@modelcontextprotocol/server'

import { listRecommendations } from '../read/list-recommendations.ts'
import { fleetSummary } from '../read/fleet-summary.ts'
import { runTool } from '../run-tool.ts'
import type { Ask, Tool } from '../tool.ts'
import type { McpParts } from './mcp-parts.ts'

/** What can be read without arguments, for clients that put things into a context by hand. */
export function registerResources(server: McpServer, parts: McpParts): void {
  const json = { mimeType: 'application/json' }
  const plain = (
    name: string,
    uri: string,
    about: { title: string; description: string; read: () => Promise<unknown> },
  ) =>
    server.registerResource(name, uri, { ...json, title: about.title, description: about.description }, async (at) =>
      contents(at, await about.read()),
    )
  plain('clusters', 'septet://clusters', {
    title: 'Clusters',
    description: 'Every cluster that can be asked about.',
    read: () => parts.ask('clustersList', {}),
  })
  plain('gpu-models', 'septet://gpu-models', {
    title: 'GPU models',
    description: 'Memory, MIG profiles and power of every GPU model that Septet knows.',
    read: () => parts.ask('modelsList', {}),
  })
  plain('policies', 'septet://policies', {
    title: 'Policies',
    description: 'What counts as idle and as oversized, and what no plan touches.',
    read: () => parts.ask('policiesGet', {}),
  })
  ofCluster('summary', { title: 'Summary of a cluster', tool: fleetSummary })
  ofCluster('recommendations', { title: 'Recommendations of a cluster', tool: listRecommendations })

  function ofCluster(name: string, { title, tool }: { readonly title: string; readonly tool: Tool }): void {
    const template = new ResourceTemplate(`septet://clusters/{cluster}/${name}`, {
      list: undefined,
      complete: { cluster: (begun) => clusterIds(parts.ask, begun) },
    })
    server.registerResource(
      `cluster-${name}`,
      template,
      { ...json, title, description: tool.description },
      async (at, { cluster }) => contents(at, await runTool(tool, { cluster }, parts)),
    )
  }
}

/** Ids of clusters that begin so. */
export async function clusterIds(ask: Ask, begun: string): Promise<string[]> {
  const { clusters } = await ask('clustersList', {})
  return clusters.map(({ id }) => id).filter((id) => id.startsWith(begun))
}

const contents = (at: URL, answer: unknown): ReadResourceResult => ({
  contents: [{ uri: at.href, mimeType: 'application/json', text: JSON.stringify(answer) }],
})
