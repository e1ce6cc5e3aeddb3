/** Sharing: dining philosophers, a cache-coherent memory, an elevator, a resource allocator. */

/** Philosophers over rendezvous forks; the last one is left-handed, which prevents deadlock. */
export const philosophers = (n: number): string => `
#define N ${n}
mtype = { take, release };
chan fork[N] = [0] of { mtype };
byte eating;
active [N] proctype stick()
{
end:	do
	:: fork[_pid]?take -> fork[_pid]?release
	od
}
active [N] proctype philosopher()
{	byte first, second;
	first = _pid - N;
	second = (first + 1) % N;
	if
	:: first == N - 1 -> first = 0; second = N - 1
	:: else
	fi;
end:	do
	:: fork[first]!take;
		fork[second]!take;
		eating++;
		assert(eating <= N / 2);
		eating--;
		fork[second]!release;
		fork[first]!release
	od
}
`;

/** A bus with n caches that keep one line each: modified, shared or invalid. */
export const cacheCoherence = (n: number): string => `
#define N ${n}
mtype = { invalid, shared, modified };
mtype = { readShared, readExclusive, writeBack, granted };
chan bus = [N] of { mtype, byte };
chan answer[N] = [1] of { mtype };
typedef Line { mtype state; bit value };
Line cache[N];
bit memory;
byte owners;
proctype processor(byte me)
{	bit written;
	cache[me].state = invalid;
	do
	:: cache[me].state == invalid ->
		if
		:: bus!readShared(me); answer[me]?granted
		:: bus!readExclusive(me); answer[me]?granted
		fi
	:: cache[me].state == shared ->
		if
		:: bus!readExclusive(me); answer[me]?granted
		:: atomic { cache[me].state == shared -> cache[me].state = invalid }
		fi
	:: cache[me].state == modified ->
		if
		:: atomic {
			cache[me].state == modified ->
			written = 1 - written;
			cache[me].value = written
		   }
		:: bus!writeBack(me); answer[me]?granted
		fi
	od
}
active proctype controller()
{	byte who, k;
	do
	:: bus?readShared(who) ->
		atomic {
			for (k : 0 .. N - 1) {
				if
				:: cache[k].state == modified -> memory = cache[k].value; cache[k].state = shared; owners = 0
				:: else
				fi
			}
			cache[who].state = shared;
			cache[who].value = memory;
			k = 0
		};
		answer[who]!granted
	:: bus?readExclusive(who) ->
		atomic {
			for (k : 0 .. N - 1) {
				if
				:: cache[k].state == modified -> memory = cache[k].value
				:: else
				fi;
				cache[k].state = invalid
			}
			cache[who].state = modified;
			cache[who].value = memory;
			owners = 1;
			k = 0
		};
		answer[who]!granted
	:: bus?writeBack(who) ->
		d_step {
			if
			:: cache[who].state == modified -> memory = cache[who].value; cache[who].state = invalid; owners = 0
			:: else
			fi
		};
		answer[who]!granted
	:: atomic { owners == 1 -> for (k : 0 .. N - 1) { assert(cache[k].state != shared) } k = 0 }
	od
}
init {
	byte k;
	atomic {
		for (k : 0 .. N - 1) { run processor(k) }
	}
}
`;

/** An elevator between n floors, called from any of them, with a door that must be shut while it moves. */
export const elevator = (floors: number, passengers: number): string => `
#define FLOORS ${floors}
#define PASSENGERS ${passengers}
mtype = { up, down };
bool called[FLOORS];
bool stop[FLOORS];
byte floor;
bool doorOpen;
bool moving;
mtype direction = up;
byte riding;
active proctype cabin()
{	byte k;
	bool more;
	do
	:: called[floor] || stop[floor] ->
		doorOpen = true;
		atomic { called[floor] = false; stop[floor] = false };
		doorOpen = false
	:: else ->
		d_step {
			more = false;
			k = floor;
			if
			:: direction == up ->
				do
				:: k < FLOORS - 1 -> k++; more = more || called[k] || stop[k]
				:: else -> break
				od
			:: else ->
				do
				:: k > 0 -> k--; more = more || called[k] || stop[k]
				:: else -> break
				od
			fi;
			k = 0
		};
		if
		:: more ->
			moving = true;
			assert(!doorOpen);
			if
			:: direction == up -> floor++
			:: else -> floor--
			fi;
			moving = false
		:: else -> direction = (direction == up -> down : up)
		fi
	od
}
active [PASSENGERS] proctype passenger()
{	byte here, there;
	do
	:: select (there : 0 .. FLOORS - 1);
		if
		:: there == here
		:: else ->
			called[here] = true;
			atomic { doorOpen && floor == here -> riding++; stop[there] = true };
			assert(!moving || riding > 0);
			atomic { doorOpen && floor == there -> riding--; here = there }
		fi
	od
}
`;

/** Clients ask a server for units of a resource and give them back; grants go over the client's own channel. */
export const allocator = (clients: number, units: number): string => `
#define CLIENTS ${clients}
#define UNITS ${units}
mtype = { request, giveBack };
chan server = [CLIENTS] of { mtype, byte, chan };
byte free = UNITS;
proctype client(byte most)
{	chan grant = [1] of { byte };
	byte held, got;
	do
	:: held == 0 ->
		if
		:: server!request(1, grant)
		:: most > 1 -> server!request(most, grant)
		fi;
		grant?got;
		held = got
	:: held > 0 -> server!giveBack(1, grant); held--
	:: held > 1 -> server!giveBack(held, grant); held = 0
	od
}
active proctype owner()
{	byte amount, back;
	chan to;
	do
	:: server??request(amount, to) ->
		do
		:: amount <= free -> break
		:: else -> server??giveBack(back, _); free = free + back
		od;
		free = free - amount;
		to!amount
	:: server?giveBack(amount, to) -> free = free + amount; assert(free <= UNITS)
	od
}
init {
	byte k;
	atomic {
		for (k : 1 .. CLIENTS) { run client(k % 2 + 1) }
	}
}
`;
