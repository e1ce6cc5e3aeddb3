/** Locks for n processes: Peterson's filter, Szymanski's waiting room, Lamport's bakery. */

/** Peterson's filter lock, as an array program: every process climbs n - 1 levels. */
export const filterLock = (n: number): string => `
#define N ${n}
byte level[N];
byte last[N];
byte inside;
active [N] proctype competitor()
{	byte at, other;
	do
	:: at = 1;
		do
		:: at < N ->
			level[_pid] = at;
			last[at] = _pid;
			other = 0;
			do
			:: other == N -> break
			:: other < N && other == _pid -> other++
			:: other < N && other != _pid && (level[other] < at || last[at] != _pid) -> other++
			od;
			at++
		:: else -> break
		od;
		inside++;
		assert(inside == 1);
		inside--;
		level[_pid] = 0
	od
}
`;

/** Szymanski's algorithm: a waiting room with a door that the last to enter closes. */
export const szymanski = (n: number): string => `
#define N ${n}
mtype = { outside, wants, waits, enters, closes };
mtype flag[N] = outside;
byte inside;
inline everyone(k, condition) {
	k = 0;
	do
	:: k < N && (k == _pid || (condition)) -> k++
	:: k == N -> break
	od
}
active [N] proctype visitor()
{	byte k;
	bool open;
	do
	:: flag[_pid] = wants;
		everyone(k, flag[k] == outside || flag[k] == wants || flag[k] == waits);
		flag[_pid] = enters;
		k = 0; open = false;
		do
		:: k < N -> open = open || (flag[k] == wants); k++
		:: k == N -> break
		od;
		if
		:: open ->
			flag[_pid] = waits;
			k = 0;
			do
			:: k < N && flag[k] != closes -> k++
			:: k < N && flag[k] == closes -> break
			:: k == N -> k = 0
			od
		:: !open
		fi;
		flag[_pid] = closes;
		everyone(k, k > _pid || flag[k] == outside || flag[k] == wants);
		inside++;
		assert(inside == 1);
		inside--;
		everyone(k, k < _pid || flag[k] == outside || flag[k] == wants || flag[k] == closes);
		flag[_pid] = outside
	od
}
`;

/** Lamport's bakery with tickets up to `most`; a process that would draw a higher one waits until the shop is empty. */
export const bakery = (n: number, most: number): string => `
#define N ${n}
#define MOST ${most}
typedef Customer { bool choosing; byte ticket };
Customer customer[N];
byte served;
proctype shop(byte me)
{	byte k, highest;
	do
	:: customer[me].choosing = true;
		highest = 0;
		for (k : 0 .. N - 1) {
			if
			:: customer[k].ticket > highest -> highest = customer[k].ticket
			:: else
			fi
		}
		if
		:: highest < MOST -> customer[me].ticket = highest + 1
		:: else -> customer[me].choosing = false; goto again
		fi;
		customer[me].choosing = false;
		for (k : 0 .. N - 1) {
			!customer[k].choosing;
			(k == me || customer[k].ticket == 0 || customer[me].ticket < customer[k].ticket
				|| (customer[me].ticket == customer[k].ticket && me < k))
		}
		served++;
		assert(served == 1);
		served--;
		customer[me].ticket = 0;
again:		skip
	od
}
init {
	byte k;
	atomic {
		for (k : 0 .. N - 1) { run shop(k) }
	}
}
`;
