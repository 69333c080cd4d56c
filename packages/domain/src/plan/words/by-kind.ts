/** Answers by the kind of a subject, with one function for each kind: the compiler asks for the missing one. */
export function stepsByKind<Subject extends Kinded, Answer>(subject: Subject, cases: CasesOf<Subject, Answer>): Answer
export function stepsByKind<Answer>(subject: Kinded, cases: Readonly<Record<string, Case<Answer>>>): Answer {
  const answer = cases[subject.kind]
  if (answer === undefined) throw new Error(`no case for ${subject.kind}`)
  return answer(subject)
}

type Kinded = { readonly kind: string }

type CasesOf<Subject extends Kinded, Answer> = {
  readonly [Kind in Subject['kind']]: (subject: Extract<Subject, { readonly kind: Kind }>) => Answer
}

// A method's parameter may be narrower than the subject, which is what the overload above makes safe.
type Case<Answer> = { answer(subject: Kinded): Answer }['answer']
