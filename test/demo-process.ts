import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

import { childEnvironment } from './child-environment.ts'
import { newDataDir, removeDataDir } from './server-process.ts'

/** The demo cluster without Septet: a process of its own, as an operator's cluster is. */
export type DemoProcess = {
  readonly apiUrl: string
  readonly kubeconfigPath: string
  /** Of whoever changes the cluster. */
  readonly actorKubeconfigPath: string
  /** Where somebody may wish that something goes wrong. */
  readonly faultsUrl: string
  /** What has happened to whom in the cluster. */
  readonly journalUrl: string
  readonly exporterTargetsUrl: string
  readonly prometheusUrl: string
  readonly folder: string
  /** Has something go wrong. */
  fault(wish: object): Promise<void>
  journal(): Promise<readonly Happened[]>
  readonly pid: number
  stop(): Promise<void>
}

const JournalSchema = z.object({ items: z.array(z.object({ kind: z.string(), uid: z.string().optional() })) })
type Happened = z.output<typeof JournalSchema>['items'][number]

export async function startDemo(): Promise<DemoProcess> {
  const folder = await newDataDir()
  const entry = fileURLToPath(new URL('main.ts', import.meta.resolve('@septet/simulator')))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...childEnvironment(), SEPTET_DATA_DIR: folder },
  })
  const addresses = await readyLine(child)
  const asked = async (url: string, wish?: object): Promise<unknown> => {
    const token = /token: (\S+)/u.exec(await readFile(addresses.actorKubeconfigPath, 'utf8'))?.[1] ?? ''
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(
      url,
      wish === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(wish) },
    )
    if (!answer.ok) throw new Error(`the demo cluster answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  return {
    ...addresses,
    folder,
    fault: async (wish) => void (await asked(addresses.faultsUrl, wish)),
    journal: async () => JournalSchema.parse(await asked(addresses.journalUrl)).items,
    pid: child.pid ?? 0,
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.kill('SIGTERM')) await gone
      await removeDataDir(folder)
    },
  }
}

const AddressesSchema = z.object({
  apiUrl: z.string(),
  kubeconfigPath: z.string(),
  actorKubeconfigPath: z.string(),
  faultsUrl: z.string(),
  journalUrl: z.string(),
  exporterTargetsUrl: z.string(),
  prometheusUrl: z.string(),
})
type Addresses = z.output<typeof AddressesSchema>
const TargetsSchema = z.array(z.object({ labels: z.record(z.string(), z.string()) }))

function readyLine(child: ChildProcess): Promise<Addresses> {
  const { promise, resolve, reject } = Promise.withResolvers<Addresses>()
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (!text.includes('\n')) return
    resolve(AddressesSchema.parse(JSON.parse(text.split('\n')[0] ?? '')))
  })
  child.once('exit', (code) => reject(new Error(`the demo cluster ended with ${code} before it was ready`)))
  return promise
}

/** Addresses of the demo's exporters that answer; two of its nodes have a broken one, on purpose. */
export async function answeringExporters({ apiUrl, exporterTargetsUrl }: DemoProcess): Promise<string[]> {
  const groups = TargetsSchema.parse(await (await fetch(exporterTargetsUrl)).json())
  const urls = groups.map(({ labels }) => `${apiUrl}${labels['__metrics_path__'] ?? ''}`)
  const answers = await Promise.all(urls.map(async (url) => (await fetch(url)).ok))
  return urls.filter((_, index) => answers[index])
}
