/** The published figures: states, transitions, stack. Corrected where the complete figures are known (client-server). */
import type { EmptinessAlgorithm } from "../../src/engines/explicit/emptiness/index.js";

export type Figures = Partial<Record<EmptinessAlgorithm, string>>;

/** Table 2: size of the product, emptiness, figures. */
export const ELECTION: Readonly<Record<string, { size: string; isEmpty: boolean; figures: Figures }>> = {
  A: {
    size: "287922 1221437 1",
    isEmpty: false,
    figures: {
      cou99: "365 365 365",
      "cou99-shy-": "365 1356 1358",
      "cou99-shy": "365 1356 1358",
      gv04: "365 365 365",
      cvwy90: "17693 91145 902",
      se05: "17693 90803 564",
      tau03: "17702 187964 911",
      tau03opt: "365 365 366",
    },
  },
  B: {
    size: "287922 1222805 1",
    isEmpty: false,
    figures: {
      cou99: "365 365 365",
      "cou99-shy-": "365 1356 1358",
      "cou99-shy": "365 1356 1358",
      gv04: "365 365 365",
      cvwy90: "448 789 787",
      se05: "448 449 449",
      tau03: "448 1876 787",
      tau03opt: "365 365 366",
    },
  },
  C: {
    size: "47887 134916 0",
    isEmpty: true,
    figures: {
      cou99: "47887 134916 115",
      "cou99-shy-": "47887 134916 226",
      "cou99-shy": "47887 134916 226",
      gv04: "47887 134916 115",
      cvwy90: "47887 269831 115",
      se05: "47887 269831 115",
      tau03opt: "47887 134916 115",
    },
  },
  D: {
    size: "289812 1232783 1",
    isEmpty: true,
    figures: {
      cou99: "289812 1232783 145172",
      "cou99-shy-": "289812 1232783 145666",
      "cou99-shy": "289812 1232783 145304",
      gv04: "289812 1232783 145172",
      cvwy90: "289812 1642497 1145",
      se05: "289812 1642497 1145",
      tau03: "289812 2875280 1145",
      tau03opt: "289812 1642497 1145",
    },
  },
  E: {
    size: "145400 413351 0",
    isEmpty: false,
    figures: {
      cou99: "365 365 365",
      "cou99-shy-": "365 706 708",
      "cou99-shy": "365 706 708",
      gv04: "365 365 365",
      cvwy90: "365 703 704",
      se05: "365 365 366",
      tau03opt: "365 365 366",
    },
  },
  F: {
    size: "289812 1225799 1",
    isEmpty: true,
    figures: {
      cou99: "289812 1225799 145172",
      "cou99-shy-": "289812 1225799 145666",
      "cou99-shy": "289812 1225799 145304",
      gv04: "289812 1225799 145172",
      cvwy90: "289812 1635513 1145",
      se05: "289812 1635513 1145",
      tau03: "289812 2861312 1145",
      tau03opt: "289812 1635513 1145",
    },
  },
  G: {
    size: "241808 687630 1",
    isEmpty: false,
    figures: {
      cou99: "557 557 557",
      "cou99-shy-": "557 1087 1089",
      "cou99-shy": "557 1087 1089",
      gv04: "557 557 557",
      cvwy90: "557 895 896",
      se05: "557 557 558",
      tau03: "566 1249 905",
      tau03opt: "557 557 558",
    },
  },
  H: {
    size: "728132 2080615 4",
    isEmpty: false,
    figures: {
      cou99: "145847 413799 145172",
      "cou99-shy-": "145847 414229 145303",
      "cou99-shy": "145847 414229 145257",
      gv04: "145847 413799 145172",
      cvwy90: "178543 511930 1388",
      se05: "178543 504468 1145",
      tau03: "178551 1604336 1454",
      tau03opt: "145847 827149 1454",
    },
  },
  I: {
    size: "728132 2076619 4",
    isEmpty: true,
    figures: {
      cou99: "728132 2076619 145172",
      "cou99-shy-": "728132 2076619 145307",
      "cou99-shy": "728132 2076619 145257",
      gv04: "728132 2076619 145172",
      cvwy90: "728132 2489217 1172",
      se05: "728132 2489217 1172",
      tau03: "728132 6631906 1454",
      tau03opt: "728132 4555287 1454",
    },
  },
};

/** Table 3: three clients and one server, or three; the latter complete, where the paper's search was cut. */
export const CLIENT_SERVER = {
  one: {
    cou99: "783 2371 511",
    "cou99-shy-": "783 2371 710",
    "cou99-shy": "783 2371 519",
    gv04: "783 2371 511",
    cvwy90: "783 2897 237",
    se05: "783 2897 237",
    tau03: "783 5268 238",
    tau03opt: "783 2897 237",
  },
  oneFair: {
    cou99: "783 2371 511",
    "cou99-shy-": "783 2371 710",
    "cou99-shy": "783 2371 519",
    gv04: "2005 6627 550",
    cvwy90: "2005 7771 251",
    se05: "2005 7771 251",
    tau03: "783 10143 264",
    tau03opt: "783 8200 264",
  },
  three: {
    cou99: "628 838 159",
    gv04: "628 838 159",
    cvwy90: "628 1517 159",
    se05: "628 1503 159",
    tau03: "922 3527 220",
    tau03opt: "628 1503 159",
  },
  threeFair: {
    cou99: "22147 93537 12799",
    gv04: "82372 382102 12855",
    cvwy90: "82372 462571 7477",
    se05: "82372 462571 7477",
    tau03: "22147 452735 7294",
    tau03opt: "22147 361513 7289",
  },
} satisfies Record<string, Figures>;

/** Table 1 (first three) and table 4 (last two), collected formulas, density 0.001: without and with fairness, in percent. */
export const HUMAN_SPARSE: Readonly<Partial<Record<EmptinessAlgorithm, readonly [string, string]>>> = {
  cou99: ["7.4 5.1 4.0 1.3 1.3", "16.3 10.6 10.4 12.3 9.0"],
  "cou99-shy-": ["6.5 6.8 7.7 1.0 1.0", "15.2 15.7 19.6 11.6 8.4"],
  "cou99-shy": ["6.3 6.5 7.0 1.0 1.0", "14.5 15.0 18.0 11.0 7.9"],
  gv04: ["7.5 5.1 4.0", "25.9 16.5 16.1"],
  cvwy90: ["7.7 7.9 5.2", "53.6 65.0 49.3"],
  se05: ["7.6 6.8 3.9", "50.9 34.7 28.1"],
  tau03: ["9.5 17.4 8.1 8.7 9.5", "53.9 265.5 36.2 205.9 53.9"],
  tau03opt: ["7.4 8.1 3.8 2.2 7.4", "16.4 31.8 11.3 53.4 16.4"],
};
