import type { Workload } from './use-workloads.ts'

/** Its name, and after it whose it is; below it on a narrow screen. Names are anybody's words: their direction stays their own. */
export const WorkloadName = ({ workload: { name, namespace, kind } }: { readonly workload: Workload }) => (
  <span className="flex min-w-0 items-baseline gap-x-2 max-md:flex-wrap">
    <bdi className="max-w-full truncate md:max-w-[70%] md:shrink-0" title={name}>
      {name}
    </bdi>
    <span className="relative min-w-0 truncate text-12 font-normal text-ink-quiet" title={`${namespace} · ${kind}`}>
      <bdi>{namespace}</bdi>
      {/* Beside a name in a narrow table there is room for one of the two. */}
      <span className="md:max-[1500px]:sr-only">
        {' '}
        · <bdi>{kind}</bdi>
      </span>
    </span>
  </span>
)
