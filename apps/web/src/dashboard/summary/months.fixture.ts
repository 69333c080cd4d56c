import type { costMonths, OutputOf } from '@septet/contract'

import { at, measured, NOW, unknown } from '../figures.fixture.ts'

type Months = OutputOf<typeof costMonths>

/** Two whole months and one that goes on; the first was seen only in part. */
export const liveMonths = (): Months => ({
  source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
  asOf: at(18),
  window: { from: '2026-09-01T00:00:00.000Z', to: at(0) },
  months: [
    month({ name: '2026-09', to: '2026-10-01T00:00:00.000Z', coverage: 0.4 }, [96_000, 26_000]),
    month({ name: '2026-10', to: '2026-11-01T00:00:00.000Z', coverage: 1 }, [240_000, 60_000]),
    month({ name: '2026-11', to: new Date(NOW).toISOString(), coverage: 1 }, [150_000, 30_000]),
  ],
  note: 'Baseline is what the capacity cost, optimized the same without the waste that could be removed.',
})

type About = { readonly name: string; readonly to: string; readonly coverage: number }

const month = (
  { name, to, coverage }: About,
  [baseline, waste]: readonly [number, number],
): Months['months'][number] => ({
  month: name,
  from: `${name}-01T00:00:00.000Z`,
  to,
  coverage,
  sealed: null,
  baseline: measured(baseline, 'USD', 'ready GPU-h of the month × price'),
  optimized: measured(baseline - waste, 'USD', 'baseline − estimated savings'),
  savings: {
    estimated: measured(waste, 'USD', 'cost of idle-held, unallocated and stranded time'),
    verified: unknown('USD', 'Nothing verified yet: Septet has not applied a change to this cluster.'),
    freed: unknown('USD', 'Nothing verified yet: Septet has not applied a change to this cluster.'),
  },
})
