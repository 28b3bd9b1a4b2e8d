/** @jsxImportSource preact */
import type { CatalogBlock } from '../../records/grading.ts'

/** The letter in a square, whose lightness shows the rank. An empty square without a grade. */
export function Grade(props: { grade: string | null; large?: boolean }) {
  const { grade, large } = props
  const size = large ? ' large' : ''
  if (!grade) {
    return (
      <span class={`grade none${size}`}>
        <span class="unseen">Not graded yet</span>
      </span>
    )
  }
  return (
    <span class={`grade g-${grade.toLowerCase()}${size}`}>
      <span class="unseen">Grade </span>
      {grade}
    </span>
  )
}

/** The grade of the block; none while it is not graded. */
export function gradeOf({ graded, grade }: Pick<CatalogBlock, 'graded' | 'grade'>) {
  return graded ? grade : null
}
