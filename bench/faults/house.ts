import { setTimeout as sleep } from 'node:timers/promises'

import { signIn, type SeptetProcess } from '../../test/server-process.ts'
import { toldIn, type Written } from './watch-answers.ts'

/** A Septet with all that it watches and needs, in which something may go wrong. */
export type House = {
  septet: SeptetProcess
  readonly headers: Readonly<Record<string, string>>
  readonly written: Written
  close(): Promise<void>
}

/** What is done, and how long it lasts. */
export type Fault<Of extends House> = {
  readonly seconds: number
  /** What whoever looks is told of it: part of the status of the cluster with the codes of its problems. */
  readonly told?: RegExp
  /** Which cluster is looked at, if not the one that is watched directly. */
  readonly cluster?: string
  begin(house: Of): Promise<void>
  end?(house: Of): Promise<void>
}

/** The cluster that is watched directly. */
export const CLUSTER = 'watched'

export const noneWritten = (): Written => ({ next: 1, acknowledged: 0, times: 0 })

const RECOVERED_WITHIN_MS = 120_000
/** So long an answer may take before it counts as none. */
export const PATIENCE_MS = 10_000
/** A reading of the future is one by a clock that is wrong. */
const AHEAD_MS = 5000

/** Seconds until everything is well again, nothing is told of it any more and a reading from after the fault is shown. */
export async function untilWell(
  house: House,
  since: number,
  { cluster = CLUSTER, told }: Pick<Fault<House>, 'cluster' | 'told'> = {},
): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < RECOVERED_WITHIN_MS) {
    if (await isWell(house, { since, cluster, told })) return (performance.now() - began) / 1000
    await sleep(100)
  }
  return Infinity
}

type Well = { readonly since: number; readonly cluster: string; readonly told: RegExp | undefined }

async function isWell({ septet: { url }, headers }: House, { since, cluster, told }: Well): Promise<boolean> {
  try {
    // What never answers is not well, and must not keep the bench from finding out.
    const asked = { headers, signal: AbortSignal.timeout(PATIENCE_MS) }
    const [ready, summary] = await Promise.all([
      fetch(`${url}/readyz`, asked),
      fetch(`${url}/api/v1/summary?cluster=${cluster}`, asked),
    ])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the contract says it answers
    const body = (await summary.json()) as { readonly asOf: string | null }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as docs/configuration.md says
    const { status } = (await ready.json()) as { readonly status: string }
    const asOf = Date.parse(body.asOf ?? '')
    const isNow = asOf > since && asOf < Date.now() + AHEAD_MS
    return status === 'ready' && isNow && told?.test(toldIn(body)) !== true
  } catch {
    return false
  }
}

/** A token outlives the server that made it. */
export async function lastingHeaders(septet: SeptetProcess): Promise<Readonly<Record<string, string>>> {
  const headers = { ...(await signIn(septet)), 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'viewer', role: 'admin' })
  const answer = await fetch(`${septet.url}/api/v1/tokens`, { method: 'POST', headers, body })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the contract says it answers
  const { secret } = (await answer.json()) as { readonly secret: string }
  return { authorization: `Bearer ${secret}` }
}
