import { openClusterReader, openExporterReader, openPrometheus } from '@septet/connectors'
import { instant, prometheusSource } from '@septet/domain'

import type { AgentOptions } from './agent/agent-options.ts'
import type { AgentConnections } from './agent/agent-reader.ts'

const clock = () => instant(Date.now())

/** The connectors of an agent: those by which Septet reads a cluster itself. */
export function connectAgent(options: AgentOptions, say: (sentence: string) => void): AgentConnections {
  const { kubeconfig, context, operatorNamespace, exporters } = options
  const source = prometheusSource(options.engine)
  const engine = source && openPrometheus({ ...source, clock })
  return {
    reader: openClusterReader({
      kubeconfig: kubeconfig === undefined ? { inCluster: true } : { path: kubeconfig, context },
      operatorNamespace,
      log: {
        info: () => undefined,
        warn: (message, fields) => say(sentenceOf(message, fields)),
        error: (message, fields) => say(sentenceOf(message, fields)),
      },
      clock,
      random: Math.random,
    }),
    // An exporter that is named is asked directly: its values are fresher than an engine's.
    telemetry:
      exporters.length > 0 ? openExporterReader({ targets: exporters.map((url) => ({ url })), clock }) : engine,
    history: engine,
  }
}

const sentenceOf = (message: string, fields: object = {}): string =>
  `${message}${Object.values(fields)
    .map((value) => `: ${String(value)}`)
    .join('')}`
