/** Message-passing protocols: leader election in a ring, a sliding window over a lossy line, sorting in a pipe. */

/** Chang and Roberts: the highest identity goes all the way round; any of the stations may start passive. */
export const leaderElection = (n: number): string => `
#define N ${n}
mtype = { candidate, elected };
chan ring[N] = [N] of { mtype, byte };
byte leaders;
proctype station(byte place; byte id)
{	byte heard;
	bool passive;
	if
	:: ring[(place + 1) % N]!candidate(id)
	:: passive = true
	fi;
end:	do
	:: ring[place]?candidate(heard) ->
		if
		:: heard > id -> passive = true; ring[(place + 1) % N]!candidate(heard)
		:: heard < id ->
			if
			:: passive -> passive = false; ring[(place + 1) % N]!candidate(id)
			:: else
			fi
		:: heard == id -> leaders++; assert(leaders == 1); ring[(place + 1) % N]!elected(id)
		fi
	:: ring[place]?elected(heard) ->
		if
		:: heard == id
		:: else -> ring[(place + 1) % N]!elected(heard)
		fi;
		break
	od
}
init {
	byte k;
	atomic {
		k = 0;
		do
		:: k < N -> run station(k, (N + 3 - k) % N + 1); k++
		:: else -> break
		od
	}
}
`;

/** Go-back-n with a window, over lines that lose messages; the receiver checks the order. */
export const slidingWindow = (window: number, capacity: number): string => `
#define WINDOW ${window}
#define NUMBERS (WINDOW + 1)
#define VALUES (2 * WINDOW)
chan forward = [${capacity}] of { byte, byte };
chan backward = [${capacity}] of { byte };
active proctype sender()
{	byte base, next, acknowledged, value;
	do
	:: (next + NUMBERS - base) % NUMBERS < WINDOW && nfull(forward) ->
		atomic { forward!next,value; next = (next + 1) % NUMBERS; value = (value + 1) % VALUES }
	:: backward?acknowledged ->
		do
		:: base != acknowledged && (next + NUMBERS - base) % NUMBERS > 0 -> base = (base + 1) % NUMBERS
		:: else -> break
		od
	:: timeout ->
		atomic { value = (value + VALUES - (next + NUMBERS - base) % NUMBERS) % VALUES; next = base }
	od
}
active proctype receiver()
{	byte expected, number, value, wanted;
	do
	:: forward?number,value ->
		if
		:: number == expected ->
			assert(value == wanted);
			expected = (expected + 1) % NUMBERS;
			wanted = (wanted + 1) % VALUES
		:: else
		fi;
		if
		:: backward!expected
		:: skip
		fi
	od
}
active proctype line()
{
end:	do
	:: forward?_,_
	:: backward?_
	od
}
`;

/** A pipe of cells, each keeping the smallest number it has seen: n numbers come out sorted. */
export const sortingPipe = (n: number, capacity: number): string => `
#define N ${n}
chan pipe[N] = [${capacity}] of { byte };
byte result[N];
proctype feeder()
{	byte sent, value;
	value = 5;
	do
	:: sent < N -> pipe[0]!value; value = (value * 7 + 3) % 32; sent++
	:: else -> break
	od
}
proctype cell(byte nr)
{	byte kept, arrived, left;
	left = N - nr - 1;
	pipe[nr]?kept;
	do
	:: left > 0 ->
		pipe[nr]?arrived;
		if
		:: arrived < kept -> pipe[nr + 1]!kept; kept = arrived
		:: else -> pipe[nr + 1]!arrived
		fi;
		left--
	:: else -> break
	od;
	result[nr] = kept;
	if
	:: nr > 0 -> (result[nr - 1] > 0); assert(result[nr - 1] <= kept)
	:: else
	fi
}
init {
	byte k;
	atomic {
		run feeder();
		for (k : 0 .. N - 1) { run cell(k) }
	}
}
`;
