import { instant, NOTHING_MEASURED, ratio, seconds, type Instant, type UsageRow } from '@septet/domain'
import { expect, test } from 'vitest'
import { writeRows } from './write-rows.ts'

const row: UsageRow = {
  at: instant(0),
  span: '5m',
  node: 'node-1',
  pool: '',
  gpu: 'GPU-1',
  partition: 'GPU-1',
  profile: '',
  model: '',
  machine: '',
  kind: 'free',
  share: ratio(1),
  namespace: '',
  workload: '',
  pod: '',
  workloadClass: '',
  present: seconds(300),
  measured: seconds(0),
  idle: seconds(0),
  oversized: seconds(0),
  reason: undefined,
  ...NOTHING_MEASURED,
}
const many = Array.from({ length: 25_000 }, (_, index) => ({ ...row, gpu: `GPU-${index}` }))

function recording() {
  const written: { readonly rows: readonly UsageRow[]; readonly worked: Instant | undefined }[] = []
  const write = async (_: string, rows: readonly UsageRow[], worked?: Instant) => void written.push({ rows, worked })
  return { written, usage: { write } }
}

test('all rows of a large fleet are written in portions, and how far they go is told with the last', async () => {
  const { written, usage } = recording()
  await writeRows(many, { usage, cluster: 'c', worked: instant(7) })
  expect(written.flatMap(({ rows }) => rows)).toEqual(many)
  expect(written.map(({ rows, worked }) => [rows.length, worked])).toEqual([
    [10_000, undefined],
    [10_000, undefined],
    [5000, 7],
  ])
})

test('how far it was worked is told where there are no rows, and nothing is written after a stop', async () => {
  const { written, usage } = recording()
  await writeRows([], { usage, cluster: 'c', worked: instant(7) })
  expect(written).toEqual([{ rows: [], worked: 7 }])
  await writeRows(many, { usage, cluster: 'c', signal: AbortSignal.abort() })
  expect(written).toHaveLength(1)
})
