import { SearchIcon } from '../../ui/dashboard-icons.tsx'

type Props = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** One line that narrows down what is shown, as it is typed. */
export const SearchField = ({ label, value, onChange }: Props) => (
  <label className="relative flex min-w-0 items-center max-sm:w-full">
    <span className="sr-only">{label}</span>
    <span className="pointer-events-none absolute left-2.5 text-ink-quiet">
      <SearchIcon />
    </span>
    <input
      type="search"
      value={value}
      placeholder={label}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      className="min-h-8 w-full rounded-control border border-line bg-surface pr-2 pl-8 text-16 placeholder:text-ink-quiet hover:border-line-strong sm:w-64 sm:text-13"
    />
  </label>
)
