import { plural } from '@septet/domain/words'

import { table, type Reply, type Slots } from '../family.ts'
import { heldUnknown, over, path, quoted } from '../phrases.ts'
import type { Reading } from '../reading.ts'

/** Which namespaces left GPUs of one model idle: the workloads of that model, summed. */
export async function idleOnModel(slots: Slots, reading: Reading, model: string): Promise<Reply> {
  const range = slots.range ?? '24h'
  const at = path('/cost', { range, by: 'model', within: `named:${model}` })
  const all = await reading.from('costBreakdown', { range, by: 'model' }, path('/cost', { range, by: 'model' }))
  const pages = [['See the cost', at]] as const
  const unknown = heldUnknown(all.is)
  if (unknown !== undefined) {
    const said = `${over(slots, all.is.asOf)}, who left ${quoted(model)} idle is unknown: ${unknown}`
    return { said: [[said, all.cite]], pages, unknown: true }
  }
  const group = all.is.groups.find(({ key, kind }) => kind === 'named' && key === model)
  if (group === undefined)
    return { said: [[`${over(slots, all.is.asOf)}, no ${quoted(model)} was there.`, all.cite]], pages }
  const { is, cite } = await reading.from('costBreakdown', { range, by: 'model', within: group.id }, at)
  const workloads = is.groups.filter(({ kind }) => kind === 'named')
  const sums = [...Map.groupBy(workloads, ({ key }) => key.split('/')[0] ?? key)]
    .map(([namespace, some]) => ({
      namespace,
      idle: some.reduce((sum, { gpuHours }) => sum + gpuHours.idleHeld, 0),
      held: some.reduce((sum, { gpuHours }) => sum + gpuHours.used + gpuHours.idleHeld + gpuHours.oversized, 0),
    }))
    .filter(({ held }) => held > 0)
    .toSorted((a, b) => b.idle - a.idle)
  const [first] = sums
  return {
    said: [
      [
        first === undefined
          ? `${over(slots, is.asOf)}, no namespace held ${quoted(model)}.`
          : `${over(slots, is.asOf)}, of ${plural(sums.length, 'namespace')} on ${quoted(model)}, ${quoted(first.namespace)} left the most GPU time idle: ${first.idle.toFixed(1)} of ${first.held.toFixed(1)} GPU-hours it held.`,
        cite,
      ],
    ],
    blocks: [
      table(
        `GPU-hours on ${model} by namespace`,
        ['namespace', '#Held', '#Idle'],
        sums.slice(0, Number(slots.count ?? 10)).map(({ namespace, held, idle }) => ({
          cells: [namespace, held.toFixed(1), idle.toFixed(1)],
        })),
        sums.length,
      ),
    ],
    pages,
    further: ['How busy are the GPUs by namespace?', 'Who idles most?'],
  }
}
