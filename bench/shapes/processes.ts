/** Shapes that are hard by their processes and channels. */

/** `n` workers, of whom at most `k` hold a ticket; each hands its ticket back with a note for the clerk. */
export const crowd = (n: number, k: number): string => `
#define N ${n}
#define K ${k}
chan tickets = [K] of { byte };
chan notes = [1] of { bit };
byte holders, last;
active [N] proctype worker()
{	byte ticket;
	do
	:: tickets?ticket ->
		holders++;
		assert(holders <= K);
		if
		:: notes!ticket % 2
		:: skip
		fi;
		d_step { holders--; last = ticket };
		atomic { tickets!ticket; ticket = 0 }
	od
}
active proctype clerk()
{
	do
	:: notes?_
	od
}
init
{	byte i;
	do
	:: i < K -> tickets!i; i++
	:: else -> break
	od;
	i = 0
}
`;

/**
 * `n` stations of four layers beside a lossy medium: neighbouring layers exchange requests, confirmations and indications by
 * rendezvous, over eight channels a station. A link sends a frame again up to `retries` times.
 */
export const layers = (n: number, retries: number): string => `
#define N ${n}
#define RETRIES ${retries}
mtype = { request, confirm, refuse, indicate, frame, receipt };
chan sendDown[N] = [0] of { mtype, bit };
chan sendUp[N] = [0] of { mtype, bit };
chan linkDown[N] = [0] of { mtype, bit };
chan linkUp[N] = [0] of { mtype, bit };
chan wireDown[N] = [0] of { mtype, bit };
chan wireUp[N] = [0] of { mtype, bit };
chan clockOut[N] = [0] of { bit };
chan clockIn[N] = [0] of { bit };

proctype user(byte me)
{	bit value, got;
	do
	:: sendDown[me]!request(value) ->
		do
		:: sendUp[me]?confirm(_) -> value = 1 - value; break
		:: sendUp[me]?refuse(_) -> break
		:: sendUp[me]?indicate(got)
		od
	:: sendUp[me]?indicate(got)
	od
}

proctype transport(byte me)
{	bit value;
	do
	:: atomic { sendDown[me]?request(value) -> linkDown[me]!request(value) };
		do
		:: atomic { linkUp[me]?confirm(_) -> sendUp[me]!confirm(0) }; break
		:: atomic { linkUp[me]?refuse(_) -> sendUp[me]!refuse(0) }; break
		:: atomic { linkUp[me]?indicate(value) -> sendUp[me]!indicate(value) }
		od
	:: linkUp[me]?indicate(value) -> sendUp[me]!indicate(value)
	od
}

proctype link(byte me)
{	bit value, heard;
	byte tries;
	do
	:: linkDown[me]?request(value) ->
		tries = 0;
again:		wireDown[me]!frame(value);
		clockOut[me]!0;
		do
		:: wireUp[me]?receipt(_) -> clockIn[me]?_; linkUp[me]!confirm(0); break
		:: clockIn[me]?_ ->
			if
			:: tries < RETRIES -> tries++; goto again
			:: else -> linkUp[me]!refuse(0); break
			fi
		:: atomic { wireUp[me]?frame(heard) -> linkUp[me]!indicate(heard) }
		od;
		atomic { tries = 0; heard = 0 }
	:: atomic { wireUp[me]?frame(heard) -> linkUp[me]!indicate(heard); heard = 0 }
	od
}

proctype clock(byte me)
{
	do
	:: clockOut[me]?_ -> clockIn[me]!0
	od
}

proctype medium()
{	byte from, to;
	bit value;
	do
	:: atomic {
		if
${each(n, (i) => `		:: wireDown[${i}]?frame(value) -> from = ${i}`)}
		fi;
		to = (from + 1) % N
	   };
		if
		:: wireUp[to]!frame(value);
			if
			:: wireUp[from]!receipt(0)
			:: skip
			fi
		:: skip
		fi;
		atomic { from = 0; to = 0; value = 0 }
	od
}

init
{	atomic {
${each(n, (i) => `		run user(${i}); run transport(${i}); run link(${i}); run clock(${i});`)}
		run medium()
	}
}
`;

const each = (n: number, line: (index: number) => string): string =>
  Array.from({ length: n }, (_, i) => line(i)).join("\n");
