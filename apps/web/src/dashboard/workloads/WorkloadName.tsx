import type { Workload } from './use-workloads.ts'

/** Its name, and below it whose it is. Names are anybody's words: their direction stays their own. */
export const WorkloadName = ({ workload: { name, namespace, kind } }: { readonly workload: Workload }) => (
  <span className="block min-w-0">
    <bdi className="line-clamp-2 wrap-anywhere" title={name}>
      {name}
    </bdi>
    <span className="line-clamp-1 text-12 font-normal wrap-anywhere text-ink-quiet">
      <bdi>{namespace}</bdi> · <bdi>{kind}</bdi>
    </span>
  </span>
)
