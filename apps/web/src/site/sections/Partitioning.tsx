import { EXPLORER_BOARDS, EXPLORER_START, PARTITIONING, PARTITIONING_CONFIGURATIONS } from '../content/partitioning.ts'
import { Island } from '../Island.tsx'
import { SectionHead } from './SectionHead.tsx'

/** What MIG can cut a GPU into, to be tried by hand. */
export function Partitioning() {
  const { title, lead, configurations, explorer } = PARTITIONING
  return (
    <section id="mig" aria-labelledby="mig-title" className="mx-auto max-w-7xl scroll-mt-16 px-6 py-20 md:py-28">
      <SectionHead id="mig-title" title={title} lead={lead} shape="split" />
      <Island
        name="partitionExplorer"
        props={{
          boards: EXPLORER_BOARDS,
          configurations: PARTITIONING_CONFIGURATIONS,
          startWith: EXPLORER_START,
          words: { configurations, explorer },
        }}
        className="mt-12 md:mt-16"
      />
    </section>
  )
}
