const LANGUAGES = ['java', 'kotlin', 'scala', 'groovy']

/** Paths of a source in the layout of Maven and Gradle: reports of the JVM name it by its package alone. */
export const jvmPlaces = (path: string, module = ''): string[] =>
  LANGUAGES.map((language) => `${module}src/main/${language}/${path}`)
