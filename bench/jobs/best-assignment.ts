import type { JobMenu } from './job-menu.ts'

/** Which profile each candidate gets (its index in the menu; -1: none), what that is worth, and the geometry it takes. */
export type Assignment = { readonly value: number; readonly profiles: Int8Array; readonly state: number }

/**
 * The most valuable way to put some of the candidates on one GPU, exactly: over every geometry in `states`, every choice of
 * candidates and every matching of candidates to instances. `values[candidate × profiles + p]` is the worth of a candidate
 * on profile p, -Infinity where it does not fit; a candidate left out is worth 0. A dynamic program over geometries: about
 * 40 states on an 8-slice board, so microseconds for ten candidates.
 */
export function bestAssignment(menu: JobMenu, values: Float64Array, states: Int16Array = menu.states): Assignment {
  const width = menu.profiles.length
  const candidates = Math.floor(values.length / width)
  const size = menu.counts.length
  const best = new Float64Array(size).fill(-Infinity)
  best[0] = 0
  const choice = new Int8Array(candidates * size).fill(-1)
  for (let candidate = 0; candidate < candidates; candidate += 1) {
    // From full to empty, so that one candidate is not counted twice: what comes before a state holds fewer instances.
    for (let at = states.length - 1; at > 0; at -= 1) improve({ state: states[at] ?? 0, candidate })
  }
  return traceBack()

  function improve({ state, candidate }: { state: number; candidate: number }): void {
    let top = best[state] ?? -Infinity
    for (let profile = 0; profile < width; profile += 1) {
      const from = menu.before[state * width + profile] ?? -1
      if (from < 0) continue
      const reached = (best[from] ?? -Infinity) + (values[candidate * width + profile] ?? -Infinity)
      if (reached <= top) continue
      top = reached
      choice[candidate * size + state] = profile
    }
    best[state] = top
  }

  function traceBack(): Assignment {
    let final = 0
    for (const state of states) if ((best[state] ?? -Infinity) > (best[final] ?? 0)) final = state
    const profiles = new Int8Array(candidates).fill(-1)
    let state = final
    for (let candidate = candidates - 1; candidate >= 0; candidate -= 1) {
      const profile = choice[candidate * size + state] ?? -1
      profiles[candidate] = profile
      if (profile >= 0) state = menu.before[state * width + profile] ?? 0
    }
    return { value: best[final] ?? 0, profiles, state: final }
  }
}
