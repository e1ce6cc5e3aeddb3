/** The version, as code so that reports do not depend on the location of package.json; a test compares them. */
export const version = "0.1.0";
