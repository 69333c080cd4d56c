import { EXPLORER_BOARDS, EXPLORER_START, PARTITIONING, PARTITIONING_CONFIGURATIONS } from '../content/partitioning.ts'
import { Island } from '../Island.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** What MIG can cut a GPU into, to be tried by hand. */
export function Partitioning() {
  const { title, lead, configurations, explorer } = PARTITIONING
  return (
    <Section id="mig" labeledBy="mig-title">
      <SectionHead id="mig-title" title={title} lead={lead} />
      <Island
        name="partitionExplorer"
        props={{
          boards: EXPLORER_BOARDS,
          configurations: PARTITIONING_CONFIGURATIONS,
          startWith: EXPLORER_START,
          words: { configurations, explorer },
        }}
        className="mt-5 md:mt-6"
      />
    </Section>
  )
}
