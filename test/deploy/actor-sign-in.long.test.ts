import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openClusterWriter } from '@septet/connectors'
import { startDemoCluster } from '@septet/simulator'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { manifestsIn, openHelm } from './chart.ts'
import { certificateOf } from './certificate-of.ts'

const Files = z.object({ data: z.object({ kubeconfig: z.string() }) })

/** The kubeconfig that the chart mounts in the actor's folder. */
async function mountedKubeconfig(): Promise<string> {
  const helm = await openHelm()
  try {
    const made = manifestsIn(helm.template({ image: 'a:1', admin: 'a@example.com', actor: { reclaimIdle: true } }))
    return Files.parse(made.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'septet-actor')).data
      .kubeconfig
  } finally {
    helm.close()
  }
}

test('what the chart mounts signs the actor in, by its own token and the cluster’s authority', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-actor-'))
  const demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir: folder })
  try {
    const path = join(folder, 'kubeconfig')
    const kubeconfig = await mountedKubeconfig()
    expect(kubeconfig).toContain('server: https://kubernetes.default.svc,')
    writeFileSync(path, kubeconfig.replace('https://kubernetes.default.svc', demo.apiUrl.replace('http:', 'https:')))
    // What the kubelet puts beside it, from the Secret of the account's token.
    writeFileSync(join(folder, 'ca.crt'), certificateOf(demo))
    writeFileSync(join(folder, 'token'), demo.actorToken)
    const node = { group: '', version: 'v1', resource: 'nodes', namespace: undefined, name: 'gpu-h100-01' }
    const writer = openClusterWriter({ kubeconfig: { path } })
    expect(await writer.get(node)).toMatchObject({ metadata: { name: node.name } })
    demo.grantActor([])
    await expect(writer.get(node)).rejects.toThrow('septet-actor')
  } finally {
    await demo.close()
    rmSync(folder, { recursive: true })
  }
})
