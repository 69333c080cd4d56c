import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Benchmark, Figure } from './benchmark.ts'
import type { Claim } from './claims/claim.ts'
import { costSavings } from './claims/cost-savings.ts'
import { fasterInference } from './claims/faster-inference.ts'
import { gpuTypes } from './claims/gpu-types.ts'
import { reconfiguration } from './claims/reconfiguration.ts'
import { sevenWorkloads } from './claims/seven-workloads.ts'
import { utilization } from './claims/utilization.ts'
import { benchmark as rightSizing } from './right-sizing.ts'
import { benchmark as jobCompletion } from './job-completion.ts'
import { benchmark as fleetLayout } from './fleet-layout.ts'
import { benchmark as placeOnePod } from './place-one-pod.ts'
import { machine, today } from './machine.ts'
import { codeDigest } from './receipt-code.ts'

const CLAIMS: readonly Claim[] = [costSavings, utilization, sevenWorkloads, fasterInference, reconfiguration, gpuTypes]
const BENCHMARKS = [rightSizing, jobCompletion, fleetLayout, placeOnePod]
const FOLDER = join(import.meta.dirname, '../docs/receipts')

/** One receipt for each claim of the site, made from benchmarks of this very run; a claim that fails says so. */
export const benchmark: Benchmark = {
  name: 'receipts',
  description: 'The claims of the site, each with what was measured for it; writes docs/receipts.',
  onDemand: true,
  run: async () => {
    const figures = await runNeeded()
    const figuresOf = (name: string): readonly Figure[] => figures.get(name) ?? []
    const receipts = CLAIMS.map((claim) => ({
      id: claim.id,
      words: claim.words,
      ...claim.judge(figuresOf),
      command: 'npm run bench -- receipts',
      date: today(),
      machine: machine(),
      code: codeDigest([`claims/${claim.id}`, ...claim.needs]),
    }))
    mkdirSync(FOLDER, { recursive: true })
    for (const receipt of receipts) {
      writeFileSync(join(FOLDER, `claim-${receipt.id}.json`), `${JSON.stringify(receipt, undefined, 2)}\n`)
    }
    return receipts.flatMap(({ words, kind, figures: [first] }) =>
      first === undefined ? [] : [{ ...first, name: `${words} (${kind}): ${first.name}` }],
    )
  },
}

async function runNeeded(): Promise<ReadonlyMap<string, readonly Figure[]>> {
  const needed = new Set(CLAIMS.flatMap(({ needs }) => needs))
  const figures = new Map<string, readonly Figure[]>()
  for (const each of BENCHMARKS.filter(({ name }) => needed.has(name))) {
    figures.set(each.name, await each.run({ input: undefined }))
  }
  const unknown = [...needed].filter((name) => !figures.has(name))
  if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(', ')}, which a claim needs`)
  return figures
}
