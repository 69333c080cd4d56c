type Props = {
  /** A page of the documentation, with the heading that explains it: `using-the-dashboard#fleet`. */
  readonly to: string
  /** What it explains, for those who hear links without their surroundings. */
  readonly about: string
}

/** Leads to the long explanation of something. In a tab of its own, so that what is typed and open here stays. */
export const DocLink = ({ to, about }: Props) => (
  <a
    href={`/docs/${to}`}
    target="_blank"
    rel="noreferrer"
    className="rounded-control whitespace-nowrap text-accent-ink underline underline-offset-2"
  >
    Learn more<span className="sr-only"> about {about} (opens a new tab)</span>
  </a>
)
