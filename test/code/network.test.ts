/** Programs over connections and datagrams. */
import { describeStated } from "./stated.js";

describeStated("conditions-network.ts");
