import { randomBytes } from 'node:crypto'

import type { Store } from '@septet/domain'

import { keptKubeconfig, offeredContexts, readManifest } from '@septet/connectors'
import { secretsFrom } from '@septet/auth'
import type { Facts } from '../facts.ts'
import { LoopRecord, RunRecord } from '../repeat.ts'
import type { Installation } from '../operations/settings/settings-answers.ts'
import type { ClusterFleet } from './cluster-fleet.ts'
import { openConnectionTests } from './connection-tests.ts'
import { openClusterService } from './open-cluster-service.ts'
import type { Door } from './threads/door.ts'

/** Reads where it is asked, without a thread. */
export const DOOR_HERE: Door = {
  manifest: async (...given) => readManifest(...given),
  contexts: async (...given) => offeredContexts(...given),
  kubeconfig: async (...given) => keptKubeconfig(...given),
}

/** A service over clusters that stand still: it keeps connections, and what it watches is only remembered. */
export const serviceOver = (facts: Facts, store: Store): ReturnType<typeof openClusterService> =>
  openClusterService({
    store,
    secrets: secretsFrom(randomBytes(32)),
    fleet: standingFleet(facts),
    watches: true,
    tests: openConnectionTests(store),
    configured: undefined,
    plugins: [],
    door: DOOR_HERE,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    now: Date.now,
    environment: {},
  })

const standingFleet = (facts: Facts): ClusterFleet => ({
  clusters: () => facts.clusters(),
  watch: async () => undefined,
  follow: async () => undefined,
  showBroken: () => undefined,
  reconnect: async () => undefined,
  rename: async () => undefined,
  release: async () => undefined,
  stop: async () => undefined,
})

export const standingInstallation: Installation = {
  version: '1.2.3',
  startedAt: 0,
  database: 'embedded',
  dataDirBytes: () => 1024,
  server: { name: 'septet-0', role: 'all' },
  loops: () => [new LoopRecord('notifications', 2000).state()],
  databaseRuns: () => new RunRecord().state(),
  admission: () => undefined,
}
