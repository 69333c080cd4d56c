import { type Claim, figureNamed } from './claim.ts'

const LIMIT_MS = 50

/** "50 ms reconfiguration": the decision, not the hardware. */
export const reconfiguration: Claim = {
  id: 'reconfiguration',
  words: '50ms reconfiguration',
  needs: ['fleet-layout', 'place-one-pod'],
  judge: (figuresOf) => {
    const plan = figureNamed(figuresOf('fleet-layout'), 'plan with its bound, p95 warm')
    const place = figureNamed(figuresOf('place-one-pod'), '10,000 GPUs: median')
    const reached = plan.figure <= LIMIT_MS
    return {
      kind: reached ? 'measured' : 'not-reached',
      says:
        `A layout for 10,000 GPUs and 50,000 workloads, with a bound on how good any other could be, takes ` +
        `${Math.round(plan.figure)} ms to decide (95 of 100 plans are faster); placing one pod takes ${place.figure.toFixed(1)} µs.`,
      saysNot:
        'This is the time to decide. Repartitioning a GPU takes the driver and the node’s GPU services tens of seconds to minutes, and the work on the GPU must leave first.',
      figures: [{ ...plan, aim: `≤ ${LIMIT_MS} ms` }, place],
      input: 'a generated fleet: 10,000 GPUs of five models, 60 demand classes, seeded',
      sources: ['bench/fleet-layout.ts, bench/place-one-pod.ts'],
    }
  },
}
