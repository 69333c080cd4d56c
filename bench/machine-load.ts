import { loadavg } from 'node:os'

import type { Figure } from './benchmark.ts'

/** What else the machine was doing: a figure of speed means little where it was busy. Taken before the run. */
export function machineLoad(): Figure {
  return {
    name: 'load average of the machine before',
    figure: loadavg()[0] ?? Number.NaN,
    unit: 'processes',
    note: 'a quiet machine is near 0',
  }
}
