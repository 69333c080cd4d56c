import type { clustersList, OutputOf } from '@septet/contract'

import type { ClusterFacts, Facts } from '../facts.ts'
import { SAMPLE_SOURCE } from './sample-source.ts'
import { statusOf } from './status.ts'
import { isoOrNull } from './view.ts'

type ClusterView = OutputOf<typeof clustersList>['clusters'][number]

/** Every source: connected clusters, the demo cluster, and at last the sample data. */
export function listClusters(facts: Facts): OutputOf<typeof clustersList> {
  return { clusters: [...facts.clusters().map(clusterView), sampleView] }
}

function clusterView(facts: ClusterFacts): ClusterView {
  const { id, name, kind } = facts.record
  const connection = facts.connection()
  const size = facts.size()
  return {
    id,
    name,
    kind,
    state: connection.kind,
    lastContact: isoOrNull(connection.lastContact),
    serverVersion: size?.serverVersion ?? null,
    nodes: size?.nodes ?? null,
    gpus: size?.gpus ?? null,
    history: facts.history() ?? null,
    problems: statusOf(facts).problems,
  }
}

const sampleView: ClusterView = {
  ...SAMPLE_SOURCE,
  state: 'not-live',
  lastContact: null,
  serverVersion: null,
  nodes: null,
  gpus: null,
  history: null,
  problems: [],
}
