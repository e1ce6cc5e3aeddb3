/** Our version, here as code so that no report depends on where package.json was installed; a test compares them. */
export const version = "0.1.0";
