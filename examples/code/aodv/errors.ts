/**
 * Switchable errors: errors that were found in three implementations of the protocol and in its
 * specification (M. Musuvathi et al., CMC), rebuilt in this one, and some that this search missed, with the reason.
 *
 * A comment with its name marks each error. With all errors off, the router is correct.
 */
export const catalogue = {
  AF1: "after an allocation failed, as many list items of a route error are released as it announced",
  AF2: "after an allocation failed, as many list items of a route error are looked at as it announced",
  AF3: "the reverse route of a request is used without a test whether there was an entry for it",
  AF4: "the route of a reply is used without a test whether there was an entry for it",
  AF5: "a precursor is filled in without a test whether there was a record for it",
  AF6: "a request is entered into the cache without a record; a copy of it finds nothing there",
  AF7: "the buffer of a request that is passed on is filled in without a test whether there was one",
  AF8: "a route error announces more destinations than there were records for",
  AF9: "the expiry of a route is scheduled without a test whether there was a timer record",
  AF10: "the copy for a gratuitous reply is filled in without a test whether there was a buffer",
  AF11: "data that waits for a route is queued without a test whether there was a record for it",
  AF12: "a search for a route that got no timer stays in the list, and the next packet finds it half made",
  ML1: "request: no entry for the reverse route, and the record of the request is not released",
  ML2: "reply: no buffer to pass it on, and the record of the precursor is not released",
  ML3: "route error: no record for an item, and those before it are not released",
  ML4: "the record of a neighbour whose link fails while a search is on is not released",
  ML5: "a route that is replaced by a better one is not released",
  ML6: "the buffer of a request that came before is not released",
  ML7: "the precursors of a route that expires are not released",
  ML8: "the data that waited for a route is not released when the search is given up",
  UF1: "link failure: precursors are released, then asked for their addresses",
  UF2: "a buffer is given away by sending it, then read for the log",
  RT1: "a reply is not asked whether it describes a route to the node itself",
  UM1: "the reverse route of a reply is taken for granted: a restart has removed it",
  UM2: "the originator of a reply is taken for granted: nobody has that address",
  IP1: "requests are answered and replies passed on by routes that are no longer valid",
  IP2: "the lifetime of a reply is never set",
  IP3: "the reserved field of a gratuitous reply is never set",
  IP4: "link failure: routes that were invalid before are announced again",
  IP5: "the hop count of a request is not raised when it is passed on",
  PA1: "the hop count of a reply wraps: 255 + 1 is 0",
  PA2: "the hop count of a request wraps: 255 + 1 is 0",
  RL0: "the error of the specification: the sequence number of a route error is taken over without a test",
  RL1: "a route error invalidates a route without advancing its sequence number",
  RL2: "a reply with an older sequence number is accepted when its hop count is smaller",
  RL3: "a link failure invalidates routes without advancing their sequence numbers",
  RL2E: "a route of equal cost replaces another: not a loop, but not what the specification says",
  EX1: "a buffer that could not be sent is not released",
  EX2: "multicast: a group is joined without a test whether there was a record for it",
  EX3: "multicast: the buffer of an activation is filled in without a test whether there was one",
  EX4: "in code that is never reached: a list item is used after the list's end",
} as const;

export type RouterError = keyof typeof catalogue;
