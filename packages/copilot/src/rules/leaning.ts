/** What a question leans on that was said before it, as it stands there: "that", or its beginning, "and". */
export type Leaning = {
  /** The word that refers to something; undefined where only the beginning goes on from before. */
  readonly word: string | undefined
  /** The question without that beginning. */
  readonly rest: string
}

/** "And …", "what about …": goes on from the question before. */
const GOES_ON = /^(?:and|or|but|also|then|so|what about|how about)\b[\s,]*/iu
/** Words that stand for what was named before. */
const STANDS_FOR = /\b(?:they|them|their|theirs|it|its)\b/iu
/** These do so at the beginning, at the end, and after a verb or a preposition; "GPUs that are idle" names what it is. */
const POINTS =
  /(?<=^|\b(?:of|for|in|on|by|at|about|from|with|than|like|to|is|are|was|were|do|does|did|will|would|can|could|how|why|all)\s+)(?:that|those|these|this)\b(?!\s+(?:week|month|year|quarter|morning|cluster)\b)|\b(?:that|those|these)(?=\W*$)/iu

/** What a question leans on; undefined where it names all that it is about. */
export function leaningOf(question: string): Leaning | undefined {
  const rest = question.trim().replace(GOES_ON, '')
  // What stands before the first joint was not named before; behind it "them" may be what this question names.
  const [clause = ''] = rest.split(/\s(?:and|but|which|who|because)\s/iu)
  const [word] = POINTS.exec(clause) ?? STANDS_FOR.exec(clause) ?? []
  return word === undefined && rest === question.trim() ? undefined : { word: word?.toLowerCase(), rest }
}
