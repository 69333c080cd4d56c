import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../test/server-process.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'
import { mainThreadSecondsOf } from './process-memory.ts'
import { quantile } from './quantile.ts'
import { addressOf, SignInTimes, type SignInPlan } from './sign-in-generator.ts'
import { steadily } from './steadily.ts'

const SIGN_INS = 20
const OPERATIONS = 50
/** A stretch without sign-ins and one with them follow each other so often: what drifts falls on both. */
const ROUNDS = 2
const STRETCH_SECONDS = 8
const PEOPLE = 20
const PASSWORD = 'a long enough password'

/** Whether people who sign in slow down those who work. */
export const benchmark: Benchmark = {
  name: 'sign-in-load',
  description: `GET /api/v1/summary?cluster=sample with a bearer token, ${OPERATIONS} a second, while ${SIGN_INS} people a second sign in to the same Septet with their passwords (argon2id); sign-ins come from another process, each from a different address.`,
  run: async () => {
    const load = machineLoad()
    const dataDir = await newDataDir()
    const septet = await startSeptet({ dataDir, environment: ENVIRONMENT })
    try {
      const bearer = await signIn(septet)
      const emails = await makePeople(septet)
      // Code is compiled and caches are filled before anything counts.
      await stretch(septet, { bearer, emails, seconds: 3 })
      const quiet: Stretch[] = []
      const busy: Stretch[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        quiet.push(await stretch(septet, { bearer, emails: [], seconds: STRETCH_SECONDS }))
        busy.push(await stretch(septet, { bearer, emails, seconds: STRETCH_SECONDS }))
      }
      return [load, ...figures(joined(quiet), joined(busy))]
    } finally {
      await septet.stop()
      await removeDataDir(dataDir)
    }
  },
}

const ENVIRONMENT = {
  SEPTET_DEMO: 'off',
  SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local, *@example.com',
  SEPTET_TRUSTED_PROXIES: 'loopback',
  NODE_ENV: 'production',
  // As `npm start` does.
  NODE_OPTIONS: '--max-semi-space-size=16',
}

async function makePeople({ url }: SeptetProcess): Promise<string[]> {
  const emails = Array.from({ length: PEOPLE }, (_, person) => `person-${person}@example.com`)
  for (const [person, email] of emails.entries()) {
    const answer = await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': addressOf(60_000 + person) },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    if (!answer.ok) throw new Error(`${email} could not sign up: ${answer.status} ${await answer.text()}`)
  }
  return emails
}

type Stretch = {
  readonly operations: readonly (number | undefined)[]
  readonly signIns: readonly (number | undefined)[]
  readonly seconds: number
  /** Seconds that the main thread of the server computed. */
  readonly mainThread: number
}

type StretchPlan = {
  readonly bearer: Record<string, string>
  /** Who signs in; nobody where it is empty. */
  readonly emails: readonly string[]
  readonly seconds: number
}

async function stretch({ url, pid }: SeptetProcess, { bearer, emails, seconds }: StretchPlan): Promise<Stretch> {
  const before = await mainThreadSecondsOf(pid)
  const started = performance.now()
  const [operations, signIns] = await Promise.all([
    steadily(OPERATIONS, seconds, () => answered(`${url}/api/v1/summary?cluster=sample`, bearer)),
    emails.length === 0
      ? []
      : signInElsewhere({ url, emails: [...emails], password: PASSWORD, perSecond: SIGN_INS, seconds }),
  ])
  const took = (performance.now() - started) / 1000
  return { operations, signIns, seconds: took, mainThread: (await mainThreadSecondsOf(pid)) - before }
}

async function answered(url: string, headers: Record<string, string>): Promise<boolean> {
  const answer = await fetch(url, { headers })
  await answer.arrayBuffer()
  return answer.ok
}

async function signInElsewhere(plan: SignInPlan): Promise<(number | undefined)[]> {
  const generator = join(import.meta.dirname, 'sign-in-generator.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    generator,
    JSON.stringify(plan),
  ])
  return SignInTimes.parse(JSON.parse(stdout)).map((time) => time ?? undefined)
}

const joined = (stretches: readonly Stretch[]): Stretch => ({
  operations: stretches.flatMap(({ operations }) => operations),
  signIns: stretches.flatMap(({ signIns }) => signIns),
  seconds: sum(stretches.map(({ seconds }) => seconds)),
  mainThread: sum(stretches.map(({ mainThread }) => mainThread)),
})
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

function figures(quiet: Stretch, busy: Stretch): Figure[] {
  const before = times(quiet.operations)
  const during = times(busy.operations)
  const signedIn = times(busy.signIns)
  if (signedIn.length === 0) throw new Error('nobody could sign in, so nothing was measured')
  const refused = quiet.operations.length + busy.operations.length - before.length - during.length
  const beside = 'without sign-ins'
  return [
    ...[0.5, 0.95, 0.99].map((share) => ({
      name: `operation while ${SIGN_INS} a second sign in, p${share * 100}`,
      figure: quantile(during, share),
      unit: 'ms',
      baseline: { name: beside, figure: quantile(before, share) },
      note: `${during.length} requests, ${before.length} without sign-ins`,
    })),
    { name: 'operations that were not answered', figure: refused, unit: 'requests', aim: '0' },
    {
      name: 'sign-ins answered',
      figure: signedIn.length / busy.seconds,
      unit: 'a second',
      aim: `${SIGN_INS} a second`,
      note: `${signedIn.length} of ${busy.signIns.length}`,
    },
    ...[0.5, 0.95].map((share) => ({
      name: `a sign-in, p${share * 100}`,
      figure: quantile(signedIn, share),
      unit: 'ms',
    })),
    {
      name: 'share of its time that the server’s main thread computes',
      figure: (100 * busy.mainThread) / busy.seconds,
      unit: '%',
      baseline: { name: beside, figure: (100 * quiet.mainThread) / quiet.seconds },
    },
  ]
}

const times = (values: readonly (number | undefined)[]): number[] => values.filter((value) => value !== undefined)
