import { plural, short } from '@septet/domain/words'

import { table, type Family } from '../family.ts'
import { now, path, quoted } from '../phrases.ts'

const OWNERS = ['namespace', 'tenant'] as const
type Owner = (typeof OWNERS)[number]

/** What one namespace or tenant holds now, and what of it is idle. */
const holdings = (owner: Owner, what: Pick<Family, 'id' | 'about' | 'asks'>): Family => ({
  ...what,
  takes: [],
  leads: { idle: `idle-held-by-${owner}`, hold: `held-by-${owner}` },
  answer: async (slots, reading) => {
    const name = slots[owner] ?? ''
    const at = path('/workloads', { q: name, sort: 'holds' })
    const { is, cite } = await reading.from(
      'workloadsList',
      { [owner]: name, status: 'running', sort: 'holds', limit: 2000 },
      at,
    )
    const rows = is.workloads.flatMap((row) => (row.holds === null ? [] : [{ ...row, holds: row.holds }]))
    const sum = (of: 'gpus' | 'idle'): number => rows.reduce((total, { holds }) => total + holds[of], 0)
    const unmeasured = rows.filter(({ busy }) => busy.value === null).length
    const least = is.total > is.workloads.length ? 'at least ' : ''
    const more =
      unmeasured === 0
        ? ''
        : ` Whether ${plural(unmeasured, 'workload')} of them ${unmeasured === 1 ? 'is' : 'are'} idle was not measured.`
    return {
      said: [
        [
          rows.length === 0
            ? `${now(is.asOf)}, ${owner} ${quoted(name)} holds no GPU.`
            : `${now(is.asOf)}, ${owner} ${quoted(name)} holds ${least}${gpus(sum('gpus'))} in ${plural(rows.length, 'workload')}; of these, ${gpus(sum('idle'))} ${sum('idle') === 1 ? 'is' : 'are'} idle now.${more}`,
          cite,
        ],
      ],
      blocks: [
        table(
          'What holds them',
          ['Workload', '#GPUs', '#Idle now'],
          rows.slice(0, 10).map(({ id, holds }) => ({
            cells: [id, short(holds.gpus), short(holds.idle)],
            page: reading.page(path('/workloads', { workload: id })),
          })),
          rows.length,
        ),
      ],
      pages: [['See the workloads', at]],
      further: [`How busy is ${owner} ${name}?`, `What does ${owner} ${name} cost?`],
    }
  },
})

const gpus = (count: number): string => `${short(count)} ${count === 1 ? 'GPU' : 'GPUs'}`

/** How much one of them holds, and how much of that is idle: one answer, as the second question follows the first. */
export const HOLDINGS: readonly Family[] = OWNERS.flatMap((owner) => [
  holdings(owner, {
    id: `held-by-${owner}`,
    about: `how many GPUs one ${owner} holds`,
    asks: [`How many GPUs does {${owner}} hold?`, `How many GPUs does ${owner} {${owner}} hold?`],
  }),
  holdings(owner, {
    id: `idle-held-by-${owner}`,
    about: `how many of the GPUs of one ${owner} are idle`,
    asks: [`How many GPUs held by {${owner}} are idle now?`, `How many GPUs held by ${owner} {${owner}} are idle now?`],
  }),
])
