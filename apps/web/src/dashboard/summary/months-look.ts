/** Fill and outline of the three bars of a month: what was, what could be, and what lies between, as what is planned looks. */
export const BAR_LOOK = {
  baseline: { fill: 'var(--free)', stroke: 'var(--free)' },
  optimized: { fill: 'var(--busy)', stroke: 'var(--busy)' },
  savings: { fill: 'var(--busy-soft)', stroke: 'var(--busy)', strokeDasharray: '3 2' },
} as const
