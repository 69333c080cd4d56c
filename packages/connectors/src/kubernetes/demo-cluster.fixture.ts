import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { loadYaml } from '@kubernetes/client-node'
import { z } from 'zod'
import type { ContractServer } from './contract-server.fixture.ts'

const MAIN = fileURLToPath(new URL('../../../simulator/src/main.ts', import.meta.url))

const Kubeconfig = z.object({
  clusters: z.tuple([
    z.object({ cluster: z.object({ server: z.string(), 'certificate-authority-data': z.string() }) }),
  ]),
  users: z.tuple([z.object({ user: z.object({ token: z.string() }) })]),
})

// Over HTTPS and in a process of its own, as any other cluster.
export async function openDemoCluster(): Promise<ContractServer> {
  const folder = mkdtempSync(join(tmpdir(), 'septet-demo-'))
  const demo = spawn(process.execPath, [MAIN], {
    env: { ...process.env, SEPTET_DATA_DIR: folder, SEPTET_DEMO_SCALE: 'small', SEPTET_DEMO_PORT: '0' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = await Promise.race([once(createInterface(demo.stdout), 'line'), once(demo, 'exit')])
  const { kubeconfigPath } = z.object({ kubeconfigPath: z.string() }).parse(JSON.parse(String(said[0])))
  const { clusters, users } = Kubeconfig.parse(loadYaml(readFileSync(kubeconfigPath, 'utf8')))
  return {
    url: clusters[0].cluster.server,
    token: users[0].user.token,
    authority: Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString(),
    async close() {
      const gone = once(demo, 'exit')
      demo.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
