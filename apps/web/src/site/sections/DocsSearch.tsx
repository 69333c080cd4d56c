import { SEARCH_INDEX } from '../docs/search-index.ts'

type Props = {
  /** The edge of the field that what was found begins at, as it may be wider than the field. */
  readonly edge: 'left' | 'right'
}

/** The search field of the documentation; `reading.ts` makes it work. Without scripts it is not shown. */
export function DocsSearch({ edge }: Props) {
  return (
    <search className="docs-search" data-edge={edge}>
      <form data-docs-search data-index={SEARCH_INDEX.path} action="/docs">
        <label htmlFor="docs-search" className="sr-only">
          Search the documentation
        </label>
        <input
          id="docs-search"
          type="search"
          placeholder="Search"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded="false"
          aria-controls="docs-search-hits"
          aria-keyshortcuts="/"
        />
        <kbd aria-hidden>/</kbd>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot hold links with excerpts */}
        <div id="docs-search-hits" role="listbox" aria-label="Found" hidden />
        <output hidden />
      </form>
    </search>
  )
}
