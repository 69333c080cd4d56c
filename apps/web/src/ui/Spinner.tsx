/** Waits, in the middle of what it waits for; the words are for those who do not see it turn. */
export const Spinner = ({ words }: { readonly words: string }) => (
  <output className="grid min-h-dvh place-content-center justify-items-center gap-3 text-13 text-ink-soft">
    <svg aria-hidden width="28" height="28" viewBox="0 0 28 28" fill="none" className="turns" strokeWidth="2.5">
      <circle cx="14" cy="14" r="11" stroke="var(--line)" />
      <path d="M14 3a11 11 0 0 1 11 11" stroke="var(--ink-soft)" strokeLinecap="round" />
    </svg>
    {words}
  </output>
)
