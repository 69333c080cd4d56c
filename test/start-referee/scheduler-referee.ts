import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openClusterReader, readManifest } from '@septet/connectors'
import { assembleSnapshot, checkStart, instant, type ClusterSnapshot, type StartAnswer } from '@septet/domain'
import { startDemoCluster } from '@septet/simulator'

import { drawJob, drawsFrom, type DrawnJob } from './drawn-jobs.ts'
import { randomFrom } from '../../bench/random-from.ts'
import { refereeApi, type RefereeApi } from './referee-api.ts'
import { furnish } from './referee-cluster.ts'

const NOW = Date.UTC(2026, 10, 18, 14, 3, 0)
/** Jobs after which time passes. */
const TURN = 25
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One question, and what the scheduler then did. */
export type Judgment = {
  readonly number: number
  readonly job: DrawnJob
  readonly answer: StartAnswer
  readonly started: number
}

/** A yes means all of its pods, a no fewer than all, and no fewer than were promised; an unknown cannot be wrong. */
export const isRight = ({ answer: { verdict, pods, starting }, started }: Judgment): boolean =>
  verdict === 'unknown' || (verdict === 'now' ? started === pods : started < pods && started >= starting)

/**
 * Asks whether drawn jobs would start and submits each to the demo cluster, whose scheduler takes any of the nodes that
 * will do. Most of what starts stays, so that the cluster fills up.
 */
export async function judgeDrawnJobs(options: {
  readonly seed: number
  readonly jobs: number
}): Promise<readonly Judgment[]> {
  const folder = mkdtempSync(join(tmpdir(), 'septet-referee-'))
  const random = randomFrom(options.seed)
  const draws = drawsFrom(random)
  let now = NOW
  const clock = () => instant(now)
  const demo = await startDemoCluster({
    seed: options.seed,
    scale: 'small',
    dataDir: folder,
    clock: () => now,
    turnMs: 3_600_000,
    choose: (nodes) => Math.floor(random() * nodes),
  })
  const api = refereeApi(demo)
  const reader = openClusterReader({
    kubeconfig: { path: demo.kubeconfigPath },
    log: silent,
    clock,
    random: randomFrom(1),
  })
  const judgments: Judgment[] = []
  try {
    await reader.start()
    await furnish(api, draws)
    for (let number = 0; number < options.jobs; number += 1) {
      // Now and then time passes, and the demo's own work comes and goes.
      const isLater = number % TURN === 0
      if (isLater) now += 600_000
      const inventory = await (isLater ? api.allRead : api.ownRead)(() => reader.inventory())
      const snapshot = assembleSnapshot({ cluster: 'demo', inventory, samples: [], now: clock() })
      const job = drawJob(draws, snapshot, number)
      const answer = ask(snapshot, job)
      const started = await submit(api, job, { number, leaves: () => draws.chance(0.75) })
      judgments.push({ number, job, answer, started })
    }
    return judgments
  } finally {
    await reader.stop()
    await demo.close()
    rmSync(folder, { recursive: true })
  }
}

function ask(snapshot: ClusterSnapshot, { namespace, count, labels, spec }: DrawnJob): StartAnswer {
  const manifest = {
    kind: 'Deployment',
    metadata: { name: 'drawn', namespace },
    spec: { replicas: count, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  }
  const read = readManifest(JSON.stringify(manifest), namespace)
  const [answer] = read.kind === 'read' ? checkStart(snapshot, read.jobs) : []
  if (answer === undefined) throw new Error(`not read: ${JSON.stringify(read)}`)
  return answer
}

/** Creates a job's pods as its controller would; tells how many were bound. Those that were not go again. */
async function submit(
  api: RefereeApi,
  { namespace, count, labels, spec }: DrawnJob,
  { number, leaves }: { readonly number: number; readonly leaves: () => boolean },
): Promise<number> {
  const names = Array.from({ length: count }, (_, at) => `drawn-${number}-${at}`)
  const made: string[] = []
  for (const name of names) if (await api.makePod({ namespace, name, labels, spec })) made.push(name)
  const bound = await Promise.all(made.map((name) => api.nodeOf(namespace, name)))
  const gone = made.filter((_, at) => bound[at] === undefined || leaves())
  for (const name of gone) await api.removePod(namespace, name)
  return bound.filter((node) => node !== undefined).length
}
