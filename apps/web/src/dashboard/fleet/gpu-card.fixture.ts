import { FIELDS, recordOf, SHOWN_FIELDS, SHOWN_MEANS } from '@septet/domain'
import type { FigureView } from '@septet/contract'

import type { Answer } from '../septet.fake.ts'

/** A name as somebody may write one who means harm. */
export const HOSTILE = '<img src=x onerror="document.title=1">‮مهمة-🔥'.padEnd(253, 'x')

const unknown = (unit: FigureView['unit']): FigureView => ({
  value: null,
  unit,
  quality: 'unknown',
  because: 'The exporter does not tell it of this GPU.',
  coverage: null,
  explain: { formula: 'as exported', window: null, source: 'the exporter' },
})
const measured = (value: number, unit: FigureView['unit']): FigureView => ({
  ...unknown(unit),
  value,
  quality: 'measured',
  because: null,
})
const day = (value: (bucket: number) => number | null): (number | null)[] =>
  Array.from({ length: 288 }, (_, bucket) => value(bucket))

/** The card of one GPU: measured power, no memory, a fault in its past, and a day in which nothing was measured at first. */
export const gpuCard = (id: string, asOf: string): Answer<'fleetGpu'> => ({
  source: { id: 'drawn', name: 'Drawn', kind: 'demo' },
  asOf,
  window: { from: '2026-11-16T10:45:00.000Z', to: '2026-11-17T10:45:00.000Z' },
  gpu: {
    id,
    index: 1,
    model: 'H100-80GB-HBM3',
    mode: 'whole',
    slots: 8,
    blocks: [
      {
        kind: 'busy',
        start: 0,
        size: 8,
        profile: null,
        placement: 'reported',
        busy: 0.62,
        holder: `team/Job/${HOSTILE}`,
        because: null,
      },
    ],
    fault: null,
  },
  node: {
    name: 'gpu-node-0000',
    pool: 'pool-a',
    ready: true,
    schedulable: true,
    mig: { strategy: 'mixed', config: null, state: null },
    problems: [],
  },
  identified: 'telemetry',
  reading: {
    at: asOf,
    memoryUsed: unknown('MiB'),
    memoryTotal: unknown('MiB'),
    memoryTotalOf: 'board',
    ...recordOf(SHOWN_FIELDS, (field) => unknown(FIELDS[field].unit)),
    power: measured(512, 'W'),
    temperature: measured(61, '°C'),
    xid: 0,
  },
  partitions: [
    {
      id,
      name: 'whole GPU',
      kind: 'busy',
      profile: null,
      busy: measured(0.62, 'ratio'),
      memoryUsed: unknown('MiB'),
      holders: [
        {
          workload: `team/Job/${HOSTILE}`,
          pod: `team/${HOSTILE}`,
          tenant: 'research',
          since: '2026-11-17T08:00:00.000Z',
          evidence: 'label',
        },
      ],
    },
  ],
  faults: {
    complete: true,
    events: [{ at: '2026-11-16T22:10:00.000Z', code: 79, message: 'GPU 1 reported XID 79: it fell off the bus.' }],
  },
  day: {
    from: '2026-11-16T10:45:00.000Z',
    step: 300,
    partitions: [
      {
        id,
        name: 'whole GPU',
        busy: day((bucket) => (bucket < 100 ? null : 0.5 + (bucket % 9) / 30)),
        memory: day(() => null),
      },
    ],
    ...recordOf(SHOWN_MEANS, () => day(() => null)),
    power: day((bucket) => (bucket < 100 ? null : 400 + (bucket % 50))),
  },
})
