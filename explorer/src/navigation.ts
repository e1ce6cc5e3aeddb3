/** The address bar: where the page is, and how it goes elsewhere. */
import { useSyncExternalStore } from "react";
import { formatAddress, parseAddress, type Address } from "./address.js";

/** A new place in the history of the browser. */
export function goTo(address: Address): void {
  location.hash = formatAddress(address);
}

/** The same place, told more exactly: no new entry in the history. */
export function stayAt(address: Address): void {
  const hash = formatAddress(address);
  if (hash === location.hash) return;
  history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

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
