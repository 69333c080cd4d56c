/** Says of something that it is not there yet. Outlined, as what is free on a GPU is. */
export function Planned() {
  return (
    <span className="inline-flex items-center rounded-control border border-dashed border-[var(--free)] px-1.5 py-px text-12 font-normal tracking-normal text-ink-soft">
      planned
    </span>
  )
}
