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
        `A layout for 10,000 GPUs and 50,000 workloads, with a bound on how good any other could be, is decided in ` +
        `${Math.round(plan.figure)} ms (95 of 100 plans are faster); where one pod goes, in ${place.figure.toFixed(1)} µs.`,
      saysNot:
        'It is the time of the decision. Repartitioning a GPU takes the driver and the GPU services of the node tens of seconds to minutes, and what runs on the GPU must leave first.',
      figures: [{ ...plan, aim: `≤ ${LIMIT_MS} ms` }, place],
      input: 'a made fleet: 10,000 GPUs of five models, 60 demand classes, seeded',
      sources: ['bench/fleet-layout.ts, bench/place-one-pod.ts'],
    }
  },
}
