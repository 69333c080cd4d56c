import { constructFromEvents, CORE_SCHEMA, mergeTag, parseEvents, YAMLException } from 'js-yaml'

type Bounds = {
  readonly characters: number
  /** With aliases filled in. */
  readonly values: number
}

/** What somebody hands in: as much as a person submits at once. */
const HANDED_IN: Bounds = { characters: 200_000, values: 10_000 }

/** A file that stands on this machine, such as a kubeconfig of hundreds of clusters. */
export const OWN_FILE: Bounds = { characters: Infinity, values: Infinity }

/** With aliases filled in; readers of what is read go down by calling themselves. */
const MOST_LEVELS = 100

/** Somebody hands in more than is read, which is not a flaw of the YAML. */
export class TooMuchYaml extends Error {}

/** What a text of one YAML document holds. Throws as `readYamlDocuments` does. */
export function readYaml(text: string, bounds: Bounds = HANDED_IN): unknown {
  const documents = readYamlDocuments(text, { bounds })
  if (documents.length === 1) return documents[0]
  throw new Error(`it holds ${documents.length} documents, not one`)
}

/**
 * What the documents of a YAML text hold, of JSON's types alone. Everything that is not written by Septet is read here:
 * this bounds what a text costs, which is a few tens of milliseconds at most. Throws an error of one line that says what is
 * wrong and where, and shows nothing else of the text, which may hold secrets.
 */
export function readYamlDocuments(
  text: string,
  { bounds = HANDED_IN, most = Infinity }: { readonly bounds?: Bounds; readonly most?: number } = {},
): readonly unknown[] {
  if (text.length > bounds.characters) throw new TooMuchYaml(`it has more than ${bounds.characters / 1000} kB`)
  const documents = parsed(text, bounds)
  if (documents.length > most) throw new TooMuchYaml(`it has more than ${most} documents`)
  const { values } = extentOf(documents, { level: 0, seen: new Map() })
  if (values > bounds.values) throw tooManyValues(bounds)
  return documents
}

const tooManyValues = ({ values }: Bounds): TooMuchYaml =>
  new TooMuchYaml(`it has more than ${values} values, aliases filled in`)

/** Finds each key by its hash, so that a map of many keys costs no more than a list; merges keys as kubectl does. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

/** Of a value in a map are its key, its start and its end. */
const EVENTS_OF_VALUE = 3

function parsed(text: string, bounds: Bounds): readonly unknown[] {
  try {
    const events = parseEvents(text, { maxDepth: MOST_LEVELS })
    if (events.length > EVENTS_OF_VALUE * bounds.values) throw tooManyValues(bounds)
    return constructFromEvents(events, { source: text, schema: SCHEMA })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { reason, mark } = error
    throw new Error(mark === undefined ? reason : `${reason} at line ${mark.line + 1}, column ${mark.column + 1}`, {
      cause: error,
    })
  }
}

type Extent = { readonly values: number; readonly levels: number }
type Seen = Map<object, Extent | 'open'>

/** An alias is one object in several places: each object is looked at once, and counted as often as it stands. */
function extentOf(value: unknown, { level, seen }: { readonly level: number; readonly seen: Seen }): Extent {
  if (typeof value !== 'object' || value === null) return { values: 1, levels: 0 }
  const known = seen.get(value)
  if (known === 'open') throw new Error('an alias stands inside what it names')
  // The list of documents is the first level.
  if (level + (known?.levels ?? 0) > MOST_LEVELS)
    throw new TooMuchYaml(`it nests more than ${MOST_LEVELS} levels deep, aliases filled in`)
  if (known !== undefined) return known
  seen.set(value, 'open')
  let [values, levels] = [1, 0]
  for (const each of Object.values(value)) {
    const inner = extentOf(each, { level: level + 1, seen })
    values += inner.values
    levels = Math.max(levels, inner.levels)
  }
  const extent = { values, levels: levels + 1 }
  seen.set(value, extent)
  return extent
}
