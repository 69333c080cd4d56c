import { Bone } from '../../ui/Bone.tsx'

const TITLES = ['Total Cost Savings', 'GPU Utilization', 'Active Workloads', 'MIG Efficiency']

/** The four cards before their numbers: same places, same heights. */
export const CardsSkeleton = () =>
  TITLES.map((title) => (
    <section key={title} aria-busy className="min-h-48 rounded-card border border-line bg-surface px-4 py-4 sm:px-5">
      <h2 className="h-5 text-13 text-ink-soft">{title}</h2>
      <Bone className="mt-2.5 h-6 w-28" />
      <Bone className="mt-3 h-3 w-40" />
      <Bone className="mt-8 h-4 w-full" />
    </section>
  ))
