/** Reads and changes the address bar. */
import { useSyncExternalStore } from "react";
import { formatAddress, parseAddress, type Address } from "./address.js";

/** Adds an entry to the browser's history. */
export function goTo(address: Address): void {
  location.hash = formatAddress(address);
}

/** Refines the current address without a new entry in the history. */
export function stayAt(address: Address): void {
  const hash = formatAddress(address);
  if (hash === location.hash) return;
  history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Refines the address that the page has when this is called. */
export const refine = (part: Partial<Address>): void => stayAt({ ...parseAddress(location.hash), ...part });

export function useAddress(): Address {
  const hash = useSyncExternalStore(
    (onChange) => {
      window.addEventListener("hashchange", onChange);
      return () => window.removeEventListener("hashchange", onChange);
    },
    () => location.hash,
  );
  return parseAddress(hash);
}
