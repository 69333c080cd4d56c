import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { call } from '@septet/connectors/testing/contract-server'
import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { afterAll, describe, expect, test } from 'vitest'

import { root } from '../imports.ts'
import { rulesIn } from './rules-in.ts'
import { BY_ITS_ROLES, BY_THE_POLICY, furnished, stolenTokenContract } from './stolen-token.contract.ts'

const FILES = readdirSync(join(root, 'deploy')).filter((name) => name.startsWith('actor-'))
const folder = mkdtempSync(join(tmpdir(), 'septet-stolen-'))
const demos: DemoCluster[] = []
afterAll(async () => {
  for (const demo of demos) await demo.close()
  rmSync(folder, { recursive: true })
})

/** The demo cluster with every role that is shipped, and the shipped policy. */
async function openDemo() {
  const dataDir = join(folder, String(demos.length))
  const demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir, actorRules: rulesIn(FILES) })
  demos.push(demo)
  return { admin: { url: demo.apiUrl, token: demo.token }, actor: { url: demo.apiUrl, token: demo.actorToken } }
}

stolenTokenContract('the demo cluster', openDemo)

// A real one: its address, the token of an admin, and one that `kubectl create token septet-actor -n septet` gave.
const { SEPTET_TEST_API_SERVER: url, SEPTET_TEST_ADMIN_TOKEN: admin, SEPTET_TEST_ACTOR_TOKEN: actor } = process.env
if (url !== undefined)
  stolenTokenContract(url, async () => ({ admin: { url, token: admin }, actor: { url, token: actor } }))

describe('without the policy', () => {
  test('its roles alone stop none of what is the policy’s, and all the rest', async () => {
    const servers = await openDemo()
    await furnished(servers.admin)
    const target = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/septet-actor'
    expect(await call(servers.admin, { method: 'DELETE', target, body: undefined })).toMatchObject({ status: 200 })
    const refused = async (all: typeof BY_ITS_ROLES) => {
      const answers = await Promise.all(all.map((one) => call(servers.actor, { body: undefined, ...one })))
      return all.filter((_, index) => answers[index]?.status === 403).map(({ says }) => says)
    }
    expect(await refused(BY_ITS_ROLES)).toEqual(BY_ITS_ROLES.map(({ says }) => says))
    expect(await refused(BY_THE_POLICY)).toEqual([])
  })
})
