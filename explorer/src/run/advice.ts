/** Rewrites advice for the command line in terms of the controls of this page. */

export function onPage(advice: string): string {
  let isPlaceSaid = false;
  return advice.replace(OPTION, (option, name: string, value: string | undefined) => {
    const control = controls[name];
    if (control === undefined) return `${option} of everypath check`;
    const place = control.isInForm && !isPlaceSaid ? " under “How to search”" : "";
    isPlaceSaid ||= control.isInForm;
    if (!control.isInForm) return control.label;
    return `“${control.takesValue && value !== undefined ? `${control.label}: ${value}` : control.label}”${place}`;
  });
}

/** An option, with its value if advice names that value. */
const OPTION = /--([a-z][a-z-]*)(?: (all|dfs|bfs|bitstate|compact|explicit|force|bounded|auto|N)\b)?/g;

interface Control {
  readonly label: string;
  readonly isInForm: boolean;
  readonly takesValue?: boolean;
}

const inForm = (label: string, rest: Partial<Control> = {}): Control => ({ label, isInForm: true, ...rest });

const controls: Readonly<Record<string, Control | undefined>> = {
  "max-states": inForm("most states"),
  time: inForm("seconds"),
  errors: inForm("continue after the first error"),
  search: inForm("search", { takesValue: true }),
  engine: inForm("engine", { takesValue: true }),
  store: inForm("store", { takesValue: true }),
  fairness: inForm("fairness"),
  workers: inForm("threads"),
  reduction: inForm("reductions"),
  plain: inForm("reductions: none"),
  property: { label: "its box under “Properties”", isInForm: false },
};
