/** Files that are read as text or as a path at build time and embedded in the executable. */
declare module '*.css' {
  const text: string
  export default text
}
declare module '*.sql' {
  const text: string
  export default text
}
declare module '*.svg' {
  const text: string
  export default text
}
declare module '*.png' {
  const path: string
  export default path
}
declare module '*.js' {
  const text: string
  export default text
}
declare module '*.yaml' {
  const text: string
  export default text
}

declare module '*.md' {
  const text: string
  export default text
}
